package server

import (
	"context"
	"errors"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	apiadmission "k8s.io/apiserver/pkg/admission"
	genericoptions "k8s.io/apiserver/pkg/server/options"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/install"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/v1"
)

// Options are what a server is made from. They make one server only, because it
// fills in what they leave open. Make them with NewOptions.
type Options struct {
	// Recommended are k8s.io/apiserver's. CoreAPI leads to the host. If
	// Etcd.StorageConfig.Transport.ServerList is empty, which is the default, the
	// server has a database in its own process. Certificates are made and kept in
	// DataDir unless SecureServing says otherwise.
	Recommended *genericoptions.RecommendedOptions
	// DataDir is the folder of the database in the process. Another process must not
	// use it at the same time. Default: toys-data.
	DataDir string
	// TokenFile names a file as kube-apiserver's flag token-auth-file does: a token,
	// a user, a UID and optionally groups on each line. Whoever shows one of the
	// tokens may do everything, and nobody else anything; the host is not asked, and
	// Recommended.Authentication and Authorization are dropped. For demonstrations and
	// tests. Default: "", which asks the host.
	TokenFile string

	scheme *runtime.Scheme
	codecs serializer.CodecFactory
}

// NewOptions returns the defaults. The function registers the two webhook plugins:
// gatehouse's plugin.Register, or upstream's, to compare. An error means that the
// API types do not fit together.
func NewOptions(webhooks func(*apiadmission.Plugins)) (*Options, error) {
	scheme, err := install.Scheme()
	if err != nil {
		return nil, err
	}
	codecs := serializer.NewCodecFactory(scheme)
	recommended := genericoptions.NewRecommendedOptions("/registry/"+toys.GroupName, codecs.LegacyCodec(v1.GroupVersion()))
	recommended.Etcd.StorageConfig.EncodeVersioner = runtime.NewMultiGroupVersioner(v1.GroupVersion(), schema.GroupKind{Group: toys.GroupName})
	usePlugins(recommended.Admission, webhooks)

	recommended.SecureServing.ServerCert.CertDirectory = "" // New knows the folder
	return &Options{Recommended: recommended, DataDir: "toys-data", scheme: scheme, codecs: codecs}, nil
}

// AddFlags adds a flag for everything that can be changed: k8s.io/apiserver's own,
// and two more.
func (o *Options) AddFlags(flags *pflag.FlagSet) {
	o.Recommended.AddFlags(flags)
	flags.StringVar(&o.DataDir, "data-dir", o.DataDir,
		"The folder of the database that is used unless there are --etcd-servers.")
	flags.StringVar(&o.TokenFile, "standalone-token-file", o.TokenFile,
		"A file of lines token,user,uid or token,user,uid,\"groups\". Whoever shows one of the tokens may do everything, "+
			"and the host is not asked about users. For demonstrations.")
}

// Run makes a server and runs it until ctx ends; see Server.Run.
func (o *Options) Run(ctx context.Context) error {
	s, err := o.New(ctx)
	if err != nil {
		return err
	}
	return s.Run(ctx)
}

// validate returns everything that is wrong with the options.
func (o *Options) validate() error { return errors.Join(o.Recommended.Validate()...) }

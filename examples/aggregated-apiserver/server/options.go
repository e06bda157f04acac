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

// Options are the options of one server, which fills in what they leave open.
// Use NewOptions to create them.
type Options struct {
	// Recommended are the options of k8s.io/apiserver. CoreAPI configures the
	// host, which also authenticates and authorizes users unless Authentication
	// and Authorization name other servers. If
	// Etcd.StorageConfig.Transport.ServerList is empty, the default, the server
	// embeds a database. It creates its certificates in DataDir unless
	// SecureServing names others.
	Recommended *genericoptions.RecommendedOptions
	// DataDir is the folder of the embedded database, for one process at a
	// time. Default: toys-data.
	DataDir string
	// TokenFile names a file in the format of kube-apiserver's flag
	// token-auth-file: a token, a user, a UID and optionally groups on each
	// line. A client with one of the tokens may do everything, other clients
	// nothing; the server does not consult the host and ignores
	// Recommended.Authentication and Authorization. For demonstrations and
	// tests. Default: "", which uses the host.
	TokenFile string

	scheme *runtime.Scheme
	codecs serializer.CodecFactory
}

// NewOptions returns the defaults. The function registers the two webhook
// plugins: gatehouse's plugin.Register, or upstream's for a comparison. An
// error means that the API types do not form a scheme.
func NewOptions(webhooks func(*apiadmission.Plugins)) (*Options, error) {
	scheme, err := install.Scheme()
	if err != nil {
		return nil, err
	}
	codecs := serializer.NewCodecFactory(scheme)
	recommended := genericoptions.NewRecommendedOptions("/registry/"+toys.GroupName,
		codecs.LegacyCodec(v1.GroupVersion()))
	recommended.Etcd.StorageConfig.EncodeVersioner = runtime.NewMultiGroupVersioner(v1.GroupVersion(),
		schema.GroupKind{Group: toys.GroupName})
	usePlugins(recommended.Admission, webhooks)

	recommended.SecureServing.ServerCert.CertDirectory = "" // set by New
	return &Options{Recommended: recommended, DataDir: "toys-data", scheme: scheme,
		codecs: codecs}, nil
}

// AddFlags adds the flags of k8s.io/apiserver and two more.
func (o *Options) AddFlags(flags *pflag.FlagSet) {
	o.Recommended.AddFlags(flags)
	flags.StringVar(&o.DataDir, "data-dir", o.DataDir,
		"The folder of the embedded database, which is used without --etcd-servers.")
	flags.StringVar(&o.TokenFile, "standalone-token-file", o.TokenFile,
		"A file of lines token,user,uid or token,user,uid,\"groups\". The tokens grant every "+
			"permission, and the server does not consult the host about users. For demonstrations.")
}

// Run creates a server and runs it until ctx ends; see Server.Run.
func (o *Options) Run(ctx context.Context) error {
	s, err := o.New(ctx)
	if err != nil {
		return err
	}
	return s.Run(ctx)
}

// validate returns all errors of the options.
func (o *Options) validate() error { return errors.Join(o.Recommended.Validate()...) }

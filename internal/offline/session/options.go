package session

import (
	"context"
	"io"
	"net"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/inject"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/resolve"
)

// Options are the options of a simulation. NewOptions creates them; the flags
// set the unexported fields. Prepare does not change them.
type Options struct {
	// Configs describe the cluster (-f), Objects are admitted (the arguments).
	// They are files, folders or "-". Objects are required unless Optional is
	// set.
	Configs, Objects []string
	Optional         bool
	// Recursive says that the folders in folders are read as well.
	Recursive bool
	// Configurations are webhook configurations besides those in Configs, in
	// v1. They are copied.
	Configurations []runtime.Object
	// Inline are documents besides those in Configs.
	Inline []*manifest.Document
	// Resolve are the values of --resolve, not parsed yet.
	Resolve []string
	// Anywhere allows connections to other machines; see resolve.Dialer.
	Anywhere bool
	// Forward connects to Services of a cluster; see resolve.Dialer.
	Forward func(context.Context, resolve.Service) (net.Conn, error)
	// Inject are the values of --inject, not parsed yet.
	Inject []string
	// CAFile is for webhooks without a caBundle; empty for none.
	CAFile string

	// Client replaces the clients of all webhooks without a fault; nil to call
	// them. Credentials have no effect then.
	Client dispatcher.Client
	// Stub returns the endpoint of a webhook that is not called; nil for one that
	// is. routed says that Resolve has the address of the webhook. By default all
	// webhooks are called. A fault takes precedence.
	Stub func(ctx context.Context, w *admission.Webhook, routed bool) (*dispatcher.Endpoint, error)
	// Namespaces returns the namespaces of requests, given those in the inputs. By
	// default there are no others but those of Objects.
	Namespaces func(described []*corev1.Namespace) (Namespaces, error)
	// Trace records admission.Trace and metrics, so that Result.Explain has the
	// writers of fields, timings, and the series that changed.
	Trace bool
	// Bodies records admission.Trace only, so that Result.Entry has the answers
	// of the webhooks.
	Bodies bool

	// Parallel is how many requests are admitted at a time, at most: with Trace
	// or an injected fault it is one. The default is 1.
	Parallel int

	// Stdin is the input "-". Required only if a path is "-".
	Stdin io.Reader
	// Stderr receives notices. Required.
	Stderr io.Writer

	requestFlags requestFlags
	// kubeconfigAuth is a kubeconfig with the credentials for webhooks; empty
	// for none.
	kubeconfigAuth string
	// admissionConfig is a server's AdmissionConfiguration, with credentials
	// and static manifests; empty for none.
	admissionConfig string
	// exact selects the behaviour of kube-apiserver where it is less safe.
	exact bool
	// authorizer is allow, deny, a file with RBAC objects, or empty.
	authorizer string
}

// NewOptions returns the options of a command line without flags.
func NewOptions() *Options { return &Options{requestFlags: defaultRequestFlags()} }

// parsed are options that were checked without opening a file.
type parsed struct {
	// settings lack a patch from a file.
	settings requests.Settings
	routes   resolve.Table
	// faults lack scripts from files.
	faults []inject.Flag
}

// parse checks the options without opening a file.
func (o *Options) parse() (*parsed, error) {
	var p parsed
	var err error
	if p.settings, err = o.requestFlags.parse(); err != nil {
		return nil, err
	}
	var wrong error
	p.faults, wrong = inject.Parse(o.Inject)
	if err := flags.CheckStdin(o.files(p.faults)); err != nil {
		return nil, err
	}
	if p.routes, err = flags.Routes(o.Resolve); err != nil {
		return nil, err
	}
	return &p, wrong
}

// files returns the files that may be "-".
func (o *Options) files(faults []inject.Flag) []string {
	files := slices.Concat(o.Configs, o.rbacFiles(), o.requestFlags.old, o.Objects)
	for _, f := range faults {
		files = append(files, f.File)
	}
	return files
}

// inputs returns the input files.
func (o *Options) inputs(settings requests.Settings) *cluster.Files {
	return &cluster.Files{
		Configs:   o.Configs,
		Inline:    o.Inline,
		RBAC:      o.rbacFiles(),
		Old:       o.requestFlags.old,
		Objects:   o.Objects,
		Settings:  settings,
		Stdin:     o.Stdin,
		Recursive: o.Recursive,
		Namespace: o.requestFlags.namespace,
		Optional:  o.Optional,
		Pairs:     o.requestFlags.operation == string(admissionv1.Update) && len(o.requestFlags.old) == 0,
	}
}

// rbacFiles returns the file of --authorizer, if there is one.
func (o *Options) rbacFiles() []string {
	switch o.authorizer {
	case "", authorizerAllow, authorizerDeny:
		return nil
	}
	return []string{o.authorizer}
}

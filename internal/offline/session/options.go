package session

import (
	"io"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/inject"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/resolve"
)

// Options are what a command has been told about a simulation. NewOptions makes them;
// what has no exported field is for flags to say. Prepare does not change them.
type Options struct {
	// Configs say what the cluster is like, Objects what is to be admitted. They are
	// files, folders or "-": those of -f and the arguments. Objects are required, unless
	// Optional says that there need not be any.
	Configs, Objects []string
	Optional         bool
	// Configurations are webhook configurations besides those in Configs, in v1. They
	// are copied.
	Configurations []runtime.Object
	// Resolve are the values of --resolve, not parsed yet.
	Resolve []string
	// Inject are the values of --inject, not parsed yet.
	Inject []string
	// CAFile is for webhooks without a caBundle; empty for none.
	CAFile string

	// Instead answers in place of all webhooks; nil to call them. Inject and
	// credentials have no effect then.
	Instead dispatcher.Client
	// Trace has calls kept from close up and metrics counted, so that Visit.Explain can
	// tell who wrote which field, how long what took, and which series changed.
	Trace bool

	// Stdin is what "-" stands for. Required only if something is "-".
	Stdin io.Reader
	// Stderr receives notices. Required.
	Stderr io.Writer

	// asking is what is asked of the objects.
	asking asking
	// kubeconfigAuth is a kubeconfig with the credentials for webhooks; empty
	// for none.
	kubeconfigAuth string
	// admissionConfig is a server's AdmissionConfiguration, with credentials and
	// static manifests; empty for none.
	admissionConfig string
	// exact has everything done as kube-apiserver does, where that is less safe.
	exact bool
	// authorizer is allow, deny, a file with RBAC objects, or empty.
	authorizer string
}

// NewOptions returns those of a command line without flags.
func NewOptions() *Options { return &Options{asking: defaultAsking()} }

// parsed are options that have been found good, as far as that can be seen without
// opening a file.
type parsed struct {
	// settings lack a patch that is in a file.
	settings requests.Settings
	routes   resolve.Table
	// faults lack the scripts that are in files.
	faults []inject.Flag
}

// parse finds the mistakes that can be seen without opening a file.
func (o *Options) parse() (*parsed, error) {
	var p parsed
	var err error
	if p.settings, err = o.asking.parse(); err != nil {
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
	files := slices.Concat(o.Configs, o.rbacFiles(), o.asking.old, o.Objects)
	for _, f := range faults {
		files = append(files, f.File)
	}
	return files
}

// inputs returns what is to be read as inputs.
func (o *Options) inputs() *cluster.Files {
	return &cluster.Files{
		Configs: o.Configs, RBAC: o.rbacFiles(), Old: o.asking.old, Objects: o.Objects, Stdin: o.Stdin,
		Namespace: o.asking.namespace, Optional: o.Optional,
		Pairs: o.asking.operation == string(admissionv1.Update) && len(o.asking.old) == 0,
	}
}

// rbacFiles returns the file of --authorizer, if it is one.
func (o *Options) rbacFiles() []string {
	switch o.authorizer {
	case "", authorizerAllow, authorizerDeny:
		return nil
	}
	return []string{o.authorizer}
}

package session

import (
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/offline/flags"
)

// AddClusterFlags adds the flags about what the cluster is like.
func (o *Options) AddClusterFlags(f *pflag.FlagSet) {
	f.StringArrayVarP(&o.Configs, "filename", "f", nil,
		"`file` or folder with webhook configurations, policies, Namespaces, CRDs and RBAC, or -; repeatable")
	f.BoolVarP(&o.Recursive, "recursive", "R", false, flags.Recursive)
	o.AddReachFlags(f)
}

// AddReachFlags adds the flags of AddClusterFlags about what is not in files: how
// webhooks are reached, and what the server is like.
func (o *Options) AddReachFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.Resolve, "resolve", nil,
		"connect to another address, as `HOST:PORT:ADDR[:PORT]` of curl; repeatable")
	flags.Anywhere(f, &o.Anywhere)
	f.StringVar(&o.CAFile, "ca-file", "",
		"`file` with the CA, in PEM, of webhooks that have no caBundle")
	f.StringVar(&o.authorizer, "authorizer", "",
		"the authorizer of conditions: allow, deny, or a `file` with RBAC objects")
	f.StringVar(&o.admissionConfig, "admission-control-config-file", "", "AdmissionConfiguration `file` of a server, with credentials and static manifests for its webhook plugins")
	flags.Group(f, flags.Server)
}

// AddRequestFlags adds the flags about requests: the operation, the user and the
// options.
func (o *Options) AddRequestFlags(f *pflag.FlagSet) {
	o.requestFlags.addFlags(f)
	flags.Group(f, flags.Requests)
}

// AddCallFlags adds the flags about how webhooks are called.
func (o *Options) AddCallFlags(f *pflag.FlagSet) {
	o.AddInjectFlag(f)
	f.StringVar(&o.kubeconfigAuth, "kubeconfig-auth", "",
		"kubeconfig `file` with the credentials for webhooks, in users named after their hosts")
	f.BoolVar(&o.exact, "exact", false, "do what kube-apiserver does where gatehouse is safer: any redirect, Retry-After, current-context's user, and more (docs/parity.md)")
	flags.Group(f, flags.Server)
}

// AddInjectFlag adds the flag about faults, which is one of AddCallFlags.
func (o *Options) AddInjectFlag(f *pflag.FlagSet) {
	f.StringArrayVar(&o.Inject, "inject", nil,
		"replace a webhook by a fault: `WEBHOOK=FAULT`, '*=FAULT'; repeatable")
}

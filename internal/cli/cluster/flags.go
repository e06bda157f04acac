package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/client-go/tools/clientcmd"

	"example.com/gatehouse/internal/offline/flags"
)

// Options are the values of the flags.
type Options struct {
	kubeconfig string
	overrides  clientcmd.ConfigOverrides
	// extra has KEY=VALUE.
	extra          []string
	requestTimeout time.Duration
}

// AddFlags adds the flags of kubectl.
func (o *Options) AddFlags(f *pflag.FlagSet) { f.AddFlagSet(o.flags(contextFlags())) }

// contextCluster is the value of --cluster without one.
const contextCluster = "."

// AddOptionalFlags adds the flags of kubectl to a command that connects to a cluster only if
// --cluster is given, without a value for the cluster of the context. There is no --namespace.
// The usage is that of --cluster.
func (o *Options) AddOptionalFlags(f *pflag.FlagSet, usage string) {
	names := contextFlags()
	names.Namespace.LongName = ""
	names.ClusterName.Description = usage
	added := o.flags(names)
	cluster := added.Lookup(clientcmd.FlagClusterName)
	cluster.NoOptDefVal, cluster.Annotations = contextCluster, nil
	f.AddFlagSet(added)
}

// Wanted reports whether --cluster of AddOptionalFlags is given. The error is about an empty
// name, or about other flags of kubectl, which have no effect without it.
func (o *Options) Wanted(f *pflag.FlagSet) (wanted bool, err error) {
	switch wanted = f.Changed(clientcmd.FlagClusterName); {
	case wanted && o.overrides.Context.Cluster == "":
		return true, errors.New("--cluster: the name is empty")
	case wanted:
		return true, nil
	}
	f.Visit(func(flag *pflag.Flag) {
		if flags.GroupOf(flag) == flags.Cluster {
			err = cmp.Or(err, fmt.Errorf("--%s needs --cluster", flag.Name))
		}
	})
	return false, err
}

// flags returns the flags of kubectl, where those about the context have the names.
func (o *Options) flags(names clientcmd.ContextOverrideFlags) *pflag.FlagSet {
	added := pflag.NewFlagSet("", pflag.ContinueOnError)
	added.SortFlags = false
	added.StringVar(&o.kubeconfig, "kubeconfig", "",
		"`path` of the kubeconfig (default: $KUBECONFIG, then ~/.kube/config)")
	added.StringVar(&o.overrides.CurrentContext, "context", "",
		"`name` of the context in the kubeconfig (default: its current context)")
	clientcmd.BindContextFlags(&o.overrides.Context, added, names)
	clientcmd.BindClusterFlags(&o.overrides.ClusterInfo, added, clusterFlags())
	clientcmd.BindAuthInfoFlags(&o.overrides.AuthInfo, added, userFlags())
	added.StringArrayVar(&o.extra, "as-user-extra", nil,
		"impersonate a user with this extra attribute: `KEY=VALUE`; repeatable")
	added.DurationVar(&o.requestTimeout, "request-timeout", 0,
		"`time` after which a request to the API server fails; 0: no limit")
	flags.Group(added, flags.Cluster)
	return added
}

func contextFlags() clientcmd.ContextOverrideFlags {
	names := clientcmd.RecommendedContextOverrideFlags("")
	names.ClusterName.Description = "`name` of the cluster in the kubeconfig"
	names.AuthInfoName.Description = "`name` of the user in the kubeconfig"
	names.Namespace.Description = "read namespaced objects in this `namespace` only (default: in all)"
	return names
}

func clusterFlags() clientcmd.ClusterOverrideFlags {
	names := clientcmd.RecommendedClusterOverrideFlags("")
	names.APIServer.ShortName = "s"
	names.APIServer.Description = "`URL` of the API server"
	names.CertificateAuthority.Description = "`file` with the CA of the API server"
	names.InsecureSkipTLSVerify.Description = "do not verify the API server's certificate (insecure)"
	names.TLSServerName.Description = "`name` that is verified in the API server's certificate"
	names.ProxyURL.Description = "`URL` of a proxy"
	names.DisableCompression.Description = "ask the API server not to compress its responses"
	return names
}

func userFlags() clientcmd.AuthOverrideFlags {
	names := clientcmd.RecommendedAuthOverrideFlags("")
	names.ClientCertificate.Description = "`file` with the user's certificate"
	names.ClientKey.Description = "`file` with the user's key"
	names.Token.Description = "the user's bearer `token`"
	names.Impersonate.Description = "impersonate this `user`"
	names.ImpersonateUID.Description = "impersonate a user with this `uid`"
	names.ImpersonateGroups.Description = "impersonate a user in this `group`; repeatable"
	names.Username.Description = "`name` of the user, for basic authentication"
	names.Password.Description = "`password` of the user, for basic authentication"
	return names
}

// Namespace returns the value of --namespace. The namespace of the context does not count.
func (o *Options) Namespace() string { return o.overrides.Context.Namespace }

// check rejects mistakes in the flags that clientcmd does not look for.
func (o *Options) check() error {
	if o.requestTimeout < 0 {
		return fmt.Errorf("--request-timeout %s: want 0 or more", o.requestTimeout)
	}
	for _, e := range o.extra {
		if key, _, ok := strings.Cut(e, "="); !ok || key == "" {
			return fmt.Errorf("--as-user-extra %q: want KEY=VALUE", e)
		}
	}
	return nil
}

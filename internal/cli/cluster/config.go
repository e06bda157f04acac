package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"example.com/gatehouse/internal/message"
)

// ErrNoContext says that neither the flags nor a kubeconfig name a cluster, and that
// this is no pod.
var ErrNoContext = errors.New("no cluster is given")

// Config returns how to connect to the cluster. A mistake in the flags is a
// message.UsageError, and one in the kubeconfig a message.InputError.
func (o *Options) Config() (*rest.Config, error) {
	if err := o.check(); err != nil {
		return nil, &message.UsageError{Err: err}
	}
	if o.overrides.Context.Cluster == contextCluster {
		o.overrides.Context.Cluster = ""
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = o.kubeconfig
	rules.WarnIfAllMissing = false
	overrides := o.overrides
	overrides.Timeout = o.requestTimeout.String()
	for _, e := range o.extra {
		key, value, _ := strings.Cut(e, "=")
		if overrides.AuthInfo.ImpersonateUserExtra == nil {
			overrides.AuthInfo.ImpersonateUserExtra = map[string][]string{}
		}
		all := overrides.AuthInfo.ImpersonateUserExtra
		all[key] = append(all[key], value)
	}
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &overrides)
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, &message.InputError{Err: oneLine(fmt.Errorf("reading the kubeconfig: %w", err))}
	}
	if err := o.checkContext(&raw, rules); err != nil {
		return nil, &message.InputError{Err: err}
	}
	config, err := loader.ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, &message.InputError{Err: noContext(&raw, rules)}
	}
	if err != nil {
		return nil, &message.InputError{Err: oneLine(fmt.Errorf("the kubeconfig: %w", err))}
	}
	return config, nil
}

// checkContext checks that the context and its cluster are in the kubeconfig, because
// clientcmd's errors do not say what is there. Without a context the cluster may be that of
// --server or --cluster, or of the pod.
func (o *Options) checkContext(
	raw *clientcmdapi.Config, rules *clientcmd.ClientConfigLoadingRules,
) error {
	name := cmp.Or(o.overrides.CurrentContext, raw.CurrentContext)
	current := raw.Contexts[name]
	if name != "" && current == nil {
		return fmt.Errorf("%s: there is no context %q%s", files(rules), name, contexts(raw))
	}
	cluster := o.overrides.Context.Cluster
	if cluster == "" && current != nil {
		cluster = current.Cluster
	}
	switch {
	case o.overrides.ClusterInfo.Server != "":
		return nil
	case (cluster != "" || current != nil) && raw.Clusters[cluster] == nil:
		return fmt.Errorf("%s: there is no cluster %q", files(rules), cluster)
	case cluster == "" && len(raw.Clusters) > 0:
		return noContext(raw, rules)
	}
	return nil
}

func noContext(raw *clientcmdapi.Config, rules *clientcmd.ClientConfigLoadingRules) error {
	if len(raw.Contexts) == 0 {
		return fmt.Errorf("%s: %w: there is no context; give a kubeconfig with one, or --server",
			files(rules), ErrNoContext)
	}
	return fmt.Errorf("%s: %w: there is no current context; choose one with --context%s",
		files(rules), ErrNoContext, contexts(raw))
}

// files names the kubeconfig for errors.
func files(rules *clientcmd.ClientConfigLoadingRules) string {
	return strings.Join(rules.GetLoadingPrecedence(), ", ")
}

func contexts(raw *clientcmdapi.Config) string {
	if len(raw.Contexts) == 0 {
		return ""
	}
	return ": there are " + strings.Join(slices.Sorted(maps.Keys(raw.Contexts)), ", ")
}

// oneLine joins the lines of an error, of which each would be another mistake.
func oneLine(err error) error {
	if text := err.Error(); strings.Contains(text, "\n") {
		return errors.New(strings.Join(strings.Fields(text), " "))
	}
	return err
}

package apiserver

import (
	"fmt"

	apiadmission "k8s.io/apiserver/pkg/admission"
	admissionmetrics "k8s.io/apiserver/pkg/admission/metrics"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/options"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/apiserver/registry"
	"example.com/gatehouse/internal/apiserver/serviceresolver"
)

// DefaultAdmission returns the default chain: kube-apiserver's
// NamespaceLifecycle, and gatehouse's plugins for policies and webhooks.
// configFile is the path of an AdmissionConfiguration; "" is none.
func DefaultAdmission(configFile string, options ...plugin.Option) Admission {
	return Admission{
		Register: func(plugins *apiadmission.Plugins) {
			lifecycle.Register(plugins)
			plugin.Register(plugins, append(options, plugin.WithPolicies())...)
		},
		Order: []string{
			lifecycle.PluginName, plugin.MutatingPolicyName, plugin.MutatingName,
			plugin.ValidatingPolicyName, plugin.ValidatingName,
		},
		ConfigFile: configFile,
	}
}

// Admission is a chain of admission plugins. The zero value is the empty chain.
type Admission struct {
	// Register registers plugins. It is required if Order is not empty. Start
	// then calls it once.
	Register func(*apiadmission.Plugins)
	// Order has the names of the plugins that the server calls, in this order.
	// All must be registered.
	Order []string
	// ConfigFile is the path of an AdmissionConfiguration, as for
	// kube-apiserver's flag --admission-control-config-file. The default is
	// none.
	ConfigFile string
}

// install adds the chain to config, whose LoopbackClientConfig and
// Authorization must be set. The plugins are initialized as by kube-apiserver.
func (a Admission) install(
	config *genericapiserver.Config, shared informers.SharedInformerFactory, clients clients,
	resolver *serviceresolver.Resolver,
) error {
	if len(a.Order) == 0 {
		return nil
	}
	// options.NewAdmissionOptions would register upstream's webhook plugins,
	// whose names are those of gatehouse's.
	chain := &options.AdmissionOptions{
		RecommendedPluginOrder: a.Order,
		ConfigFile:             a.ConfigFile,
		Plugins:                apiadmission.NewPlugins(),
		Decorators: apiadmission.Decorators{
			apiadmission.DecoratorFunc(admissionmetrics.WithControllerMetrics),
		},
	}
	a.Register(chain.Plugins)
	err := chain.ApplyTo(config, shared, clients.typed, clients.dynamic, config.FeatureGate,
		config.EffectiveVersion, resolver, registry.ReviewExclusion{})
	if err != nil {
		return fmt.Errorf("building the admission chain: %w", err)
	}
	return nil
}

// clients are the loopback clients of the server.
type clients struct {
	typed   kubernetes.Interface
	dynamic dynamic.Interface
}

func newClients(loopback *rest.Config) (clients, error) {
	typed, err := kubernetes.NewForConfig(loopback)
	if err != nil {
		return clients{}, fmt.Errorf("creating a loopback client: %w", err)
	}
	untyped, err := dynamic.NewForConfig(loopback)
	if err != nil {
		return clients{}, fmt.Errorf("creating a loopback client: %w", err)
	}
	return clients{typed, untyped}, nil
}

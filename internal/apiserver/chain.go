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
)

// DefaultAdmission is the chain for webhooks: kube-apiserver's NamespaceLifecycle, and
// gatehouse's own MutatingAdmissionWebhook and ValidatingAdmissionWebhook. The plugins
// read their configuration from a file as kube-apiserver's do; "" is none.
func DefaultAdmission(configFile string, options ...plugin.Option) Admission {
	return Admission{
		Register: func(plugins *apiadmission.Plugins) {
			lifecycle.Register(plugins)
			plugin.Register(plugins, options...)
		},
		Order:      []string{lifecycle.PluginName, plugin.MutatingName, plugin.ValidatingName},
		ConfigFile: configFile,
	}
}

// Admission says which admission plugins every write passes on its way to the
// database. The zero value stands for none.
type Admission struct {
	// Register adds plugins to an empty set. It is called once, by Start, and not
	// at all if Order is empty; otherwise it is required.
	Register func(*apiadmission.Plugins)
	// Order names the plugins in the order in which they are asked. All have to
	// be registered; registered ones that it leaves out are not asked.
	Order []string
	// ConfigFile is the path of an AdmissionConfiguration for the plugins, as
	// kube-apiserver's --admission-control-config-file takes it. The default, "",
	// is none.
	ConfigFile string
}

// install builds the chain with everything that kube-apiserver gives its plugins,
// and adds it to the configuration, which must have its loopback client and its
// authorizer. Informers watch the server itself, and services tell where webhooks are.
func (a Admission) install(config *genericapiserver.Config, shared informers.SharedInformerFactory, clients clients, services *services) error {
	if len(a.Order) == 0 {
		return nil
	}
	// options.NewAdmissionOptions would register upstream's plugins, two of them
	// under the names that gatehouse's have.
	chain := &options.AdmissionOptions{
		RecommendedPluginOrder: a.Order,
		ConfigFile:             a.ConfigFile,
		Plugins:                apiadmission.NewPlugins(),
		Decorators:             apiadmission.Decorators{apiadmission.DecoratorFunc(admissionmetrics.WithControllerMetrics)},
	}
	a.Register(chain.Plugins)
	if err := chain.ApplyTo(config, shared, clients.typed, clients.dynamic, config.FeatureGate, config.EffectiveVersion, services, hidden{}); err != nil {
		return fmt.Errorf("building the admission chain: %w", err)
	}
	return nil
}

// clients are the server's own.
type clients struct {
	typed   kubernetes.Interface
	dynamic dynamic.Interface
}

func newClients(loopback *rest.Config) (clients, error) {
	typed, err := kubernetes.NewForConfig(loopback)
	if err != nil {
		return clients{}, fmt.Errorf("making the server's own client: %w", err)
	}
	untyped, err := dynamic.NewForConfig(loopback)
	if err != nil {
		return clients{}, fmt.Errorf("making the server's own client: %w", err)
	}
	return clients{typed, untyped}, nil
}

// plug adds to the configuration what settings want on the way of a request. Who
// calls webhooks shares what it returns.
func (s *Server) plug(settings Config, config *genericapiserver.Config, shared informers.SharedInformerFactory, own clients) (*services, error) {
	found, err := newServices(settings.Webhooks, shared)
	if err != nil {
		return nil, err
	}
	s.atStop(found.close)
	if err := settings.Audit.install(config); err != nil {
		return nil, err
	}
	return found, settings.Admission.install(config, shared, own, found)
}

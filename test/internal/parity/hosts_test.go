package parity

import (
	"context"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	admissionmetrics "k8s.io/apiserver/pkg/admission/metrics"
	webhookinitializer "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	webhooktesting "k8s.io/apiserver/pkg/admission/plugin/webhook/testing"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/component-base/metrics/legacyregistry"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/metrics"
)

// host is something that webhooks can be run in, set up as upstream's own tests
// set up their plugins. Clients live as long as the host.
type host interface {
	mutating(*testing.T, []registrationv1.MutatingWebhook) subject
	validating(*testing.T, []registrationv1.ValidatingWebhook) subject
	// keepsClients reports whether clients outlive the configurations that need
	// them.
	keepsClients() bool
}

// subject is one phase over one configuration.
type subject struct {
	run     func(context.Context, apiadmission.Attributes, apiadmission.ObjectInterfaces) error
	metrics prometheus.Gatherer
}

// opener creates a host whose services all resolve to the server's address.
type opener func(t *testing.T, server *url.URL, auth webhookutil.AuthenticationInfoResolver) host

func onEachHost(t *testing.T, table func(*testing.T, opener)) {
	t.Run("dispatcher", func(t *testing.T) { table(t, openEngine) })
	t.Run("plugin", func(t *testing.T) { table(t, openPlugins) })
}

// tableNamespace is the namespace of upstream's objects; its label is the one
// that upstream's fake data source gives it.
const (
	tableNamespace     = "webhook-test"
	tableConfiguration = "test-webhooks"
)

func newTableServer(t *testing.T) *url.URL {
	t.Helper()
	return start(t, webhooktesting.NewTestServer(t))
}

func start(t *testing.T, server *httptest.Server) *url.URL {
	t.Helper()
	server.StartTLS()
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// engine hosts webhooks in a dispatcher, with a registry for each subject.
type engine struct{ client *client.Client }

func openEngine(t *testing.T, server *url.URL, auth webhookutil.AuthenticationInfoResolver) host {
	t.Helper()
	c, err := client.New(client.Config{AuthInfo: auth, Services: webhooktesting.NewServiceResolver(*server)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return engine{c}
}

func (e engine) mutating(t *testing.T, webhooks []registrationv1.MutatingWebhook) subject {
	t.Helper()
	d, registry := e.over(t, &registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: tableConfiguration}, Webhooks: webhooks,
	})
	return subject{d.Mutating().Admit, registry}
}

func (e engine) validating(t *testing.T, webhooks []registrationv1.ValidatingWebhook) subject {
	t.Helper()
	d, registry := e.over(t, &registrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: tableConfiguration}, Webhooks: webhooks,
	})
	return subject{d.Validating().Validate, registry}
}

func (engine) keepsClients() bool { return true }

func (e engine) over(t *testing.T, configuration runtime.Object) (*dispatcher.Dispatcher, *prometheus.Registry) {
	t.Helper()
	webhooks, err := source.Fixed([]runtime.Object{configuration}, source.Undefaulted())
	if err != nil {
		t.Fatal(err)
	}
	namespaces, err := source.FixedNamespaces(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: tableNamespace, Labels: map[string]string{"runlevel": "0"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	recorder, err := metrics.New(registry)
	if err != nil {
		t.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{Source: webhooks, Client: e.client, Namespaces: namespaces, Metrics: recorder})
	if err != nil {
		t.Fatal(err)
	}
	return d, registry
}

// plugins hosts webhooks in the plugins that plugin.Register adds, initialized
// by apiserver's own initializers over upstream's fake data sources. Each
// plugin is made once; only its informers change.
type plugins struct {
	registry *apiadmission.Plugins
	made     map[string]apiadmission.Interface
	server   *url.URL
	auth     webhookutil.AuthenticationInfoResolver
	drained  chan struct{}
}

func openPlugins(t *testing.T, server *url.URL, auth webhookutil.AuthenticationInfoResolver) host {
	t.Helper()
	p := &plugins{
		registry: apiadmission.NewPlugins(),
		made:     map[string]apiadmission.Interface{},
		server:   server,
		auth:     auth,
		drained:  make(chan struct{}),
	}
	plugin.Register(p.registry)
	t.Cleanup(func() { close(p.drained) })
	return p
}

func (p *plugins) mutating(t *testing.T, webhooks []registrationv1.MutatingWebhook) subject {
	t.Helper()
	stop := stopAtCleanup(t)
	kube, factory := webhooktesting.NewFakeMutatingDataSource(tableNamespace, webhooks, stop)
	made := p.initialize(t, plugin.MutatingName, kube, factory, stop)
	return subject{made.(apiadmission.MutationInterface).Admit, legacyregistry.DefaultGatherer}
}

func (p *plugins) validating(t *testing.T, webhooks []registrationv1.ValidatingWebhook) subject {
	t.Helper()
	stop := stopAtCleanup(t)
	kube, factory := webhooktesting.NewFakeValidatingDataSource(tableNamespace, webhooks, stop)
	made := p.initialize(t, plugin.ValidatingName, kube, factory, stop)
	return subject{made.(apiadmission.ValidationInterface).Validate, legacyregistry.DefaultGatherer}
}

// keepsClients implements host: gatehouse releases clients with the
// configuration that needed them; upstream keeps the last 200.
func (*plugins) keepsClients() bool { return false }

func (p *plugins) initialize(t *testing.T, name string, kube kubernetes.Interface, factory informers.SharedInformerFactory, stop chan struct{}) apiadmission.Interface {
	t.Helper()
	admissionmetrics.Metrics.WebhookRejectionGathererForTest().Reset()
	initialize := apiadmission.PluginInitializers{
		initializer.New(kube, nil, factory, nil, utilfeature.DefaultFeatureGate, nil, p.drained, nil),
		webhookinitializer.NewPluginInitializer(webhooktesting.Wrapper(p.auth), webhooktesting.NewServiceResolver(*p.server)),
	}
	made, err := p.made[name], error(nil)
	if made == nil {
		made, err = p.registry.InitPlugin(name, nil, initialize)
		p.made[name] = made
	} else {
		initialize.Initialize(made)
		err = apiadmission.ValidateInitialization(made)
	}
	if err != nil {
		t.Fatal(err)
	}
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	return made
}

func stopAtCleanup(t *testing.T) chan struct{} {
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	return stop
}

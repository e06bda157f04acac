package plugin

import (
	"io"
	"net/url"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/features"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/featuregate"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/dispatcher/source/static"
	"example.com/gatehouse/internal/engine/pluginconfig"
)

// base is what both plugins are made of. The setters are called by the server's
// plugin initializers, in any order, before ValidateInitialization and never at
// the same time as it or as a request.
type base struct {
	*apiadmission.Handler
	phase     admission.Phase
	options   options
	staticDir string

	// Handed in by the initializers.
	auth        webhookutil.AuthenticationInfoResolver
	services    webhookutil.ServiceResolver
	kube        kubernetes.Interface
	factory     informers.SharedInformerFactory
	authorizer  authorizer.UnconditionalAuthorizer
	excluded    sets.Set[schema.GroupResource]
	exclude     bool
	apiServerID string
	drained     <-chan struct{}
	// loadStatic is the host's own loader of manifests; nil if it has none.
	loadStatic loadStatic

	// Made by ValidateInitialization. The client and the folder of manifests are
	// made once, the others again for every new informer factory.
	client *client.Client
	// static is nil if no folder is configured.
	static        *static.Folder
	retention     connectionRetention
	source        *source.Informed
	sourceFactory informers.SharedInformerFactory
	closeOnce     sync.Once
	// making is held by those who make what is here and by the one who closes it
	// for good, which closed says.
	mu     sync.Mutex
	closed bool
	// Two engines over the same source: guarded keeps the excluded resources
	// from webhooks, open does not.
	guarded, open *dispatcher.Dispatcher
}

func newBase(phase admission.Phase, file io.Reader, o options) (*base, error) {
	config, err := pluginconfig.Webhooks(file)
	if err != nil {
		return nil, err
	}
	auth, err := client.KubeconfigAuth(config.KubeConfigFile, o.exact)
	if err != nil {
		return nil, err
	}
	return &base{
		Handler:   apiadmission.NewHandler(apiadmission.Connect, apiadmission.Create, apiadmission.Delete, apiadmission.Update),
		phase:     phase,
		options:   o,
		staticDir: config.StaticManifestsDir,
		auth:      auth,
		services:  webhookutil.NewDefaultServiceResolver(),
		excluded:  sets.New[schema.GroupResource](),
	}, nil
}

// SetExternalKubeClientSet receives the client that looks for namespaces which
// the informer does not know yet.
func (b *base) SetExternalKubeClientSet(kube kubernetes.Interface) { b.kube = kube }

// SetExternalKubeInformerFactory receives the informers of configurations and
// namespaces.
func (b *base) SetExternalKubeInformerFactory(f informers.SharedInformerFactory) { b.factory = f }

// SetUnconditionalAuthorizer receives what answers the authorizer checks of
// matchConditions.
func (b *base) SetUnconditionalAuthorizer(a authorizer.UnconditionalAuthorizer) { b.authorizer = a }

// SetDrainedNotification receives the channel that is closed after the last
// request.
func (b *base) SetDrainedNotification(drained <-chan struct{}) { b.drained = drained }

// SetAPIServerID receives the identity that metrics of static manifests carry.
func (b *base) SetAPIServerID(id string) { b.apiServerID = id }

// SetExcludedAdmissionResources receives the resources that no webhook sees. It
// adds to earlier ones, from the next ValidateInitialization on.
func (b *base) SetExcludedAdmissionResources(resources []schema.GroupResource) {
	b.excluded.Insert(resources...)
}

// InspectFeatureGates reads whether excluded resources are to be excluded. It
// may be called again at any time between two requests (S-014).
func (b *base) InspectFeatureGates(gates featuregate.FeatureGate) {
	b.exclude = gates.Enabled(features.ExcludeAdmissionWebhookVirtualResources)
}

// engine returns the engine for what the feature gate said last, because
// kube-apiserver asks anew for every request.
func (b *base) engine() *dispatcher.Dispatcher {
	if b.exclude {
		return b.guarded
	}
	return b.open
}

// SetServiceResolver receives what finds the address of a service; nil keeps the
// one that is there (S-009).
func (b *base) SetServiceResolver(services webhookutil.ServiceResolver) {
	if services != nil {
		b.services = services
	}
}

// SetAuthenticationInfoResolverWrapper wraps what finds credentials. It is
// cumulative; nil changes nothing (S-009).
func (b *base) SetAuthenticationInfoResolverWrapper(wrap webhookutil.AuthenticationInfoResolverWrapper) {
	if wrap != nil {
		b.auth = wrap(b.auth)
	}
}

// resolvers lets the client, which is made once, see what the setters change
// later.
type resolvers struct{ b *base }

// ClientConfigFor implements webhookutil.AuthenticationInfoResolver.
func (r resolvers) ClientConfigFor(hostPort string) (*rest.Config, error) {
	return r.b.auth.ClientConfigFor(hostPort)
}

// ClientConfigForService implements webhookutil.AuthenticationInfoResolver.
func (r resolvers) ClientConfigForService(name, namespace string, port int) (*rest.Config, error) {
	return r.b.auth.ClientConfigForService(name, namespace, port)
}

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (r resolvers) ResolveEndpoint(namespace, name string, port int32) (*url.URL, error) {
	return r.b.services.ResolveEndpoint(namespace, name, port)
}

package plugin

import (
	"io"
	"net/url"
	"sync"

	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/features"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/featuregate"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/dispatcher/source/static"
	"example.com/gatehouse/internal/engine/pluginconfig"
)

// base implements both plugins for webhooks.
type base struct {
	*apiadmission.Handler
	host
	phase     admission.Phase
	options   options
	staticDir string

	// Set by the initializers.
	auth        webhookutil.AuthenticationInfoResolver
	services    webhookutil.ServiceResolver
	exclude     bool // the value of the feature gate for the excluded resources
	apiServerID string
	// loadStatic is the host's loader of manifests; nil if it has none.
	loadStatic loadStatic

	// Set by ValidateInitialization: the client and the folder of manifests
	// once, the others again for every new informer factory.
	client *client.Client
	// static is nil if no folder is configured.
	static        *static.Folder
	retention     connectionRetention
	source        *source.Informed
	sourceFactory informers.SharedInformerFactory
	closeOnce     sync.Once
	// mu is held by ValidateInitialization and shutDown. closed is set by
	// shutDown.
	mu     sync.Mutex
	closed bool
	engine *dispatcher.Dispatcher
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
		Handler: apiadmission.NewHandler(apiadmission.Connect, apiadmission.Create, apiadmission.Delete,
			apiadmission.Update),
		host:      newHost(),
		phase:     phase,
		options:   o,
		staticDir: config.StaticManifestsDir,
		auth:      auth,
		services:  webhookutil.NewDefaultServiceResolver(),
	}, nil
}

// SetAPIServerID sets the server's identity for the metrics of static
// manifests.
func (b *base) SetAPIServerID(id string) { b.apiServerID = id }

// InspectFeatureGates reads the feature gate of the excluded resources. A host
// may call it again between two requests (S-014).
func (b *base) InspectFeatureGates(gates featuregate.FeatureGate) {
	b.exclude = gates.Enabled(features.ExcludeAdmissionWebhookVirtualResources)
}

// SetServiceResolver sets the resolver of service addresses; nil changes
// nothing (S-009).
func (b *base) SetServiceResolver(services webhookutil.ServiceResolver) {
	if services != nil {
		b.services = services
	}
}

// SetAuthenticationInfoResolverWrapper wraps the resolver of credentials.
// Several calls nest; nil changes nothing (S-009).
func (b *base) SetAuthenticationInfoResolverWrapper(
	wrap webhookutil.AuthenticationInfoResolverWrapper,
) {
	if wrap != nil {
		b.auth = wrap(b.auth)
	}
}

// resolvers delegates to the resolvers of base, so that the client, which is
// created once, uses those that the setters set later.
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

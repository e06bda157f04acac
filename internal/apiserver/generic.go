package apiserver

import (
	"net"
	"net/http"
	"time"

	"k8s.io/apiserver/pkg/registry/generic"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/healthz"
	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"example.com/gatehouse/internal/apiserver/auth"
	"example.com/gatehouse/internal/apiserver/scheme"
	"example.com/gatehouse/internal/apiserver/serviceaccounts"
)

// watchTerminationGrace bounds how long Stop waits for watches. It is reached
// only if a client does not read from its connection.
const watchTerminationGrace = 5 * time.Second

// newConfig returns the configuration of the generic server without admission
// and authorization.
func newConfig(
	schemes scheme.Schemes, id auth.Identity, tokens *serviceaccounts.Tokens, listener net.Listener,
	options generic.RESTOptionsGetter,
) *genericapiserver.Config {
	config := genericapiserver.NewConfig(schemes.Codecs)
	config.EffectiveVersion = newVersion()
	config.FeatureGate = utilfeature.DefaultFeatureGate
	// The default check "log" starts a goroutine that never ends.
	ping := []healthz.HealthChecker{healthz.PingHealthz}
	config.HealthzChecks, config.LivezChecks, config.ReadyzChecks = ping, ping, ping
	config.SecureServing = &genericapiserver.SecureServingInfo{
		Listener: listener, Cert: id.Serving, ClientCA: id.ClientCA,
	}
	config.ExternalAddress = listener.Addr().String()
	config.LoopbackClientConfig = id.ClientConfig(listener.Addr().String(), id.LoopbackToken)
	config.Authentication.APIAudiences = serviceaccounts.Audiences()
	config.Authentication.Authenticator = id.Authenticator(serviceaccounts.Audiences(), tokens)
	config.BuildHandlerChainFunc = func(h http.Handler, c *genericapiserver.Config) http.Handler {
		return id.Origins.Wrap(genericapiserver.DefaultBuildHandlerChain(h, c))
	}
	config.RESTOptionsGetter = options
	config.ShutdownWatchTerminationGracePeriod = watchTerminationGrace
	configureOpenAPI(config, schemes.Published)
	return config
}

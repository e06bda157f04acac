package dialtest

import (
	"context"
	"net"
	"net/http"
	"net/url"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
)

// Dial opens connections, as net.Dialer.DialContext does.
type Dial = func(ctx context.Context, network, address string) (net.Conn, error)

// Through returns a resolver that gives the credentials of another, and has all
// connections opened by dial, without a proxy.
func Through(
	dial Dial, next webhookutil.AuthenticationInfoResolver,
) webhookutil.AuthenticationInfoResolver {
	return through{next, dial}
}

type through struct {
	webhookutil.AuthenticationInfoResolver
	dial Dial
}

// ClientConfigFor implements webhookutil.AuthenticationInfoResolver.
func (t through) ClientConfigFor(hostPort string) (*rest.Config, error) {
	return t.connect(t.AuthenticationInfoResolver.ClientConfigFor(hostPort))
}

// ClientConfigForService implements webhookutil.AuthenticationInfoResolver.
func (t through) ClientConfigForService(name, namespace string, port int) (*rest.Config, error) {
	return t.connect(t.AuthenticationInfoResolver.ClientConfigForService(name, namespace, port))
}

func (t through) connect(found *rest.Config, err error) (*rest.Config, error) {
	if err != nil {
		return nil, err
	}
	config := rest.CopyConfig(found)
	config.Dial = t.dial
	config.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	return config, nil
}

package session

import (
	"net/http"
	"net/url"
	"time"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
)

// anonymousAuth returns the AuthenticationInfoResolver for fault servers:
// without credentials and proxy, and with the timeout of webhooks (S-281).
func anonymousAuth() webhookutil.AuthenticationInfoResolver {
	config := func() (*rest.Config, error) {
		return &rest.Config{
			Timeout: 30 * time.Second,
			Proxy:   func(*http.Request) (*url.URL, error) { return nil, nil },
		}, nil
	}
	return &webhookutil.AuthenticationInfoResolverDelegator{
		ClientConfigForFunc:        func(string) (*rest.Config, error) { return config() },
		ClientConfigForServiceFunc: func(string, string, int) (*rest.Config, error) { return config() },
	}
}

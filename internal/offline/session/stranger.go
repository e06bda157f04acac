package session

import (
	"net/http"
	"net/url"
	"time"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
)

// stranger is the AuthenticationInfoResolver for fault servers. They are shown
// no credentials, and there is no proxy on the way to them.
type stranger struct{}

var _ webhookutil.AuthenticationInfoResolver = stranger{}

func (s stranger) ClientConfigFor(string) (*rest.Config, error) { return s.config(), nil }

func (s stranger) ClientConfigForService(string, string, int) (*rest.Config, error) {
	return s.config(), nil
}

// config has the timeout of webhooks without credentials (S-281).
func (stranger) config() *rest.Config {
	return &rest.Config{
		Timeout: 30 * time.Second,
		Proxy:   func(*http.Request) (*url.URL, error) { return nil, nil },
	}
}

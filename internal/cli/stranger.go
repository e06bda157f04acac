package cli

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
)

// stranger is the AuthenticationInfoResolver for fault servers. They are shown
// no credentials, and there is no proxy on the way to them.
type stranger struct{}

var _ webhookutil.AuthenticationInfoResolver = stranger{}

// ClientConfigFor has addresses verified as that of this machine, because a
// client that connects to an address does not tell the server which one it wants
// a certificate for. Names are verified as they are.
func (s stranger) ClientConfigFor(hostPort string) (*rest.Config, error) {
	c := s.config()
	host := strings.Trim(hostPort[:strings.LastIndexByte(hostPort, ':')], "[]")
	if _, err := netip.ParseAddr(host); err == nil {
		c.ServerName = "127.0.0.1"
	}
	return c, nil
}

// ClientConfigForService needs no name: services are verified by their own.
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

package kubeclient

import (
	"errors"
	"net/http"

	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
)

// New returns a copy of config for requests in JSON, which only the API server limits, and
// a client for it that follows no redirect. Warnings of the API server are dropped. wrap,
// unless it is nil, wraps the round tripper of the client.
func New(config *rest.Config, wrap transport.WrapperFunc) (*rest.Config, *http.Client, error) {
	config = rest.CopyConfig(config)
	config.QPS = -1 // a command has few requests at once: the API server limits them
	config.UserAgent = rest.DefaultKubernetesUserAgent()
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	config.AcceptContentTypes = "application/json"
	config.WarningHandler = rest.NoWarnings{}
	if wrap != nil {
		config.Wrap(wrap)
	}
	shared, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, nil, err
	}
	own := *shared
	// The credentials would go along.
	own.CheckRedirect = func(*http.Request, []*http.Request) error {
		return errors.New("it redirects to another URL: is this an API server?")
	}
	return config, &own, nil
}

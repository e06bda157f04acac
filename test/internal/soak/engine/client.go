package engine

import (
	"fmt"
	"net/http"
	"net/url"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/dispatcher/client"
)

// NewClient returns the client of an engine, for callers that build the rest
// themselves. The resolver finds services; nil is the client's default. The
// client uses no proxy, whatever the environment says. The caller must Close
// it.
func NewClient(resolver webhookutil.ServiceResolver) (*client.Client, error) {
	c, err := client.New(client.Config{
		Services: resolver,
		Proxy:    func(*http.Request) (*url.URL, error) { return nil, nil },
	})
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return c, nil
}

// services is a ServiceResolver that calls a function.
type services func(namespace, name string) string

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (s services) ResolveEndpoint(namespace, name string, _ int32) (*url.URL, error) {
	return &url.URL{Scheme: "https", Host: s(namespace, name)}, nil
}

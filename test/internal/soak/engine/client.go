package engine

import (
	"fmt"
	"net/http"
	"net/url"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/dispatcher/client"
)

// NewClient returns the client of an engine, for those that put together the rest of
// it themselves. Services are found by the resolver, and with nil as the client does
// by default. No proxy stands in the way: what the environment says is not what a soak
// is about. The client belongs to the caller, who must Close it.
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

// services finds all services by asking a function.
type services func(namespace, name string) string

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (s services) ResolveEndpoint(namespace, name string, _ int32) (*url.URL, error) {
	return &url.URL{Scheme: "https", Host: s(namespace, name)}, nil
}

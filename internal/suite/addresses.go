package suite

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/matching"
)

// endpoint is where a webhook is called.
type endpoint struct {
	address string
	// ca verifies the certificate. With override it replaces the webhook's
	// caBundle, as for a command started for the suite; otherwise it is used if
	// the webhook has none.
	ca       []byte
	override bool
}

// setCA sets the CA of the endpoint in a client configuration.
func (p endpoint) setCA(c *registrationv1.WebhookClientConfig) {
	if p.override || len(c.CABundle) == 0 {
		c.CABundle = p.ca
	}
}

// webhookKey identifies a webhook of a suite. A mutating and a validating
// webhook may have the same key; then they share an endpoint.
type webhookKey struct{ configuration, name string }

func keyOf(w *admission.Webhook) webhookKey { return webhookKey{w.Configuration, w.Name} }

// endpoints are those that differ from the configurations.
type endpoints map[webhookKey]endpoint

// endpoints returns the endpoints of the webhooks.
func (env *Environment) endpoints() endpoints {
	all := endpoints{}
	for i := range env.suite.entries {
		for _, w := range env.suite.entries[i].webhooks {
			all[keyOf(w)] = env.entryEndpoint(i)
		}
	}
	for _, w := range env.suite.webhooks {
		if address, ca := env.options.Address(w); address != "" {
			all[keyOf(w)] = endpoint{address: address, ca: ca, override: len(ca) > 0}
		}
	}
	return all
}

// entryEndpoint returns the endpoint of the webhooks of an entry.
func (env *Environment) entryEndpoint(i int) endpoint {
	e := &env.suite.entries[i]
	if p := env.processes[i]; p != nil {
		return endpoint{address: p.Address(), ca: p.CABundle(), override: true}
	}
	return endpoint{address: e.Address, ca: e.ca}
}

// newClients makes the clients: one for webhooks with a handler, one for each
// address, and one for webhooks at their configured address.
func (env *Environment) newClients(all endpoints) error {
	var err error
	configured := &resolve.Dialer{Anywhere: env.suite.dialer.Anywhere}
	if env.defaultClient, err = client.New(
		client.Config{Dial: configured.Dial, Proxy: configured.Proxy},
	); err != nil {
		return fmt.Errorf("preparing to call webhooks: %w", err)
	}
	inProcess := client.InProcess(
		func(w *admission.Webhook) http.Handler { return env.handlers[keyOf(w)] })
	for _, w := range env.suite.webhooks {
		key := keyOf(w)
		p := all[key]
		env.suite.route(w, p.address)
		switch {
		case env.handlers[key] != nil:
			env.clients[key] = inProcess
		case p.address != "":
			if env.clients[key], err = env.clientAt(p); err != nil {
				return fmt.Errorf("preparing to call webhooks: %w", err)
			}
		}
	}
	return nil
}

// clientAt returns the client for an address.
func (env *Environment) clientAt(p endpoint) (*client.Client, error) {
	if c := env.byAddress[p.address]; c != nil {
		return c, nil
	}
	c, err := client.New(client.Config{Dial: p.dial, Proxy: noProxy})
	if err == nil {
		env.byAddress[p.address] = c
	}
	return c, err
}

// dial connects to the endpoint, whatever the address.
func (p endpoint) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return resolve.Table{}.Dial(ctx, network, p.address)
}

// noProxy disables proxies: a proxy cannot resolve these addresses.
func noProxy(*http.Request) (*url.URL, error) { return nil, nil }

// namespaces are the described ones. All others exist too, with the label of
// their name only.
type namespaces struct{ described matching.Namespaces }

// Labels implements matching.Namespaces.
func (n namespaces) Labels(ctx context.Context, name string) (map[string]string, error) {
	labels, err := n.described.Labels(ctx, name)
	if apierrors.IsNotFound(err) {
		return map[string]string{corev1.LabelMetadataName: name}, nil
	}
	return labels, err
}

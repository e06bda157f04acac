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

// place is where a webhook is in the end.
type place struct {
	address string
	// ca is what its certificate is verified with. If the place is sure it counts in
	// place of the webhook's own caBundle, as for what was started for the suite, and
	// otherwise if the webhook has none.
	ca   []byte
	sure bool
}

// trust makes a client configuration believe a place.
func (p place) trust(c *registrationv1.WebhookClientConfig) {
	if p.sure || len(c.CABundle) == 0 {
		c.CABundle = p.ca
	}
}

// webhookKey is by what webhooks are told apart here. A mutating and a validating one may
// have the same, but then they have the same place as well.
type webhookKey struct{ configuration, name string }

func keyOf(w *admission.Webhook) webhookKey { return webhookKey{w.Configuration, w.Name} }

// places are those of the webhooks that are not where their configurations say.
type places map[webhookKey]place

// find returns where the webhooks of the stage are.
func (st *Stage) find() places {
	all := places{}
	for i := range st.suite.entries {
		for _, w := range st.suite.entries[i].webhooks {
			all[keyOf(w)] = st.entryPlace(i)
		}
	}
	for _, w := range st.suite.webhooks {
		if address, ca := st.options.Address(w); address != "" {
			all[keyOf(w)] = place{address: address, ca: ca, sure: len(ca) > 0}
		}
	}
	return all
}

// entryPlace returns where the webhooks of an entry are.
func (st *Stage) entryPlace(i int) place {
	e := &st.suite.entries[i]
	if p := st.processes[i]; p != nil {
		return place{address: p.Address(), ca: p.CABundle(), sure: true}
	}
	return place{address: e.Address, ca: e.ca}
}

// reach makes the clients of the stage: one for the webhooks that have a handler, one for
// each address that others have a place at, and one for those that are where their
// configurations say.
func (st *Stage) reach(all places) error {
	var err error
	if st.elsewhere, err = client.New(client.Config{}); err != nil {
		return fmt.Errorf("preparing to call webhooks: %w", err)
	}
	inProcess := client.InProcess(func(w *admission.Webhook) http.Handler { return st.handlers[keyOf(w)] })
	for _, w := range st.suite.webhooks {
		key := keyOf(w)
		p := all[key]
		st.suite.route(w, p.address)
		switch {
		case st.handlers[key] != nil:
			st.clients[key] = inProcess
		case p.address != "":
			if st.clients[key], err = st.clientAt(p); err != nil {
				return fmt.Errorf("preparing to call webhooks: %w", err)
			}
		}
	}
	return nil
}

// clientAt returns the client of all webhooks at an address.
func (st *Stage) clientAt(p place) (*client.Client, error) {
	if c := st.at[p.address]; c != nil {
		return c, nil
	}
	c, err := client.New(client.Config{Dial: p.dial, Proxy: noProxy})
	if err == nil {
		st.at[p.address] = c
	}
	return c, err
}

// dial connects to the place, whatever the address is that is meant.
func (p place) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return resolve.Table{}.Dial(ctx, network, p.address)
}

// noProxy is for places: a proxy would not know where they are.
func noProxy(*http.Request) (*url.URL, error) { return nil, nil }

// namespaces are those that the suite describes, and all others, which have no labels but
// that of their name.
type namespaces struct{ described matching.Namespaces }

// Labels implements matching.Namespaces.
func (n namespaces) Labels(ctx context.Context, name string) (map[string]string, error) {
	labels, err := n.described.Labels(ctx, name)
	if apierrors.IsNotFound(err) {
		return map[string]string{corev1.LabelMetadataName: name}, nil
	}
	return labels, err
}

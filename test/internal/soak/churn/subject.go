package churn

import (
	"context"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	apiadmission "k8s.io/apiserver/pkg/admission"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/matching"
	"example.com/gatehouse/metrics"
	"example.com/gatehouse/test/internal/soak/cluster"
	"example.com/gatehouse/test/internal/soak/engine"
)

// subject is what is being tested, put together as a host does that embeds it.
type subject struct {
	*dispatcher.Dispatcher
	client  *client.Client
	source  *source.Informed
	metrics *prometheus.Registry
	// forget removes the handler of namespaces, by which their history knows
	// what was delivered.
	forget func() error
}

// newSubject returns an engine that follows a world's informers. What it works
// with may be spoiled before it is made.
func newSubject(w *world, spoil func(*dispatcher.Config)) (e *subject, err error) {
	e = &subject{metrics: prometheus.NewRegistry()}
	if e.client, err = engine.NewClient(w.backend); err != nil {
		return nil, err
	}
	e.source, err = source.Informers(source.Watched{
		Mutating:   cluster.MutatingInformer{Shared: w.mutating.history.Tap(w.mutating.informer)},
		Validating: cluster.ValidatingInformer{Shared: w.validating.history.Tap(w.validating.informer)},
		Published:  e.retain,
	})
	if err != nil {
		return nil, err
	}
	recorder, err := metrics.New(e.metrics)
	if err != nil {
		return nil, err
	}
	namespaces := w.namespaces.history.Tap(w.namespaces.informer)
	heard, err := namespaces.AddEventHandler(cache.ResourceEventHandlerFuncs{})
	if err != nil {
		return nil, err
	}
	e.forget = func() error { return namespaces.RemoveEventHandler(heard) }
	lister := corelisters.NewNamespaceLister(namespaces.GetIndexer())
	policies, err := newPolicies(lister)
	if err != nil {
		return nil, err
	}
	config := dispatcher.Config{Source: e.source, Client: e.client, Metrics: recorder,
		Namespaces: source.ClusterNamespaces(lister, absent{}), Policies: policies}
	spoil(&config)
	e.Dispatcher, err = dispatcher.New(config)
	if err != nil {
		return nil, fmt.Errorf("making the engine: %w", err)
	}
	return e, nil
}

// mutate takes a request through the mutating phase, which has a second round if
// a plugin asks for one, as in an API server.
func (e *subject) mutate(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) error {
	if err := e.Mutating().Admit(ctx, a, o); err != nil {
		return err
	}
	rounds := a.GetReinvocationContext()
	if !rounds.ShouldReinvoke() {
		return nil
	}
	rounds.SetIsReinvoke()
	return e.Mutating().Admit(ctx, a, o)
}

// retain makes the client close the connections to webhooks that no longer
// exist.
func (e *subject) retain(s *matching.Snapshot) { e.client.Retain(s.All()) }

// disconnect makes the client close all connections, and then keep the new
// ones.
func (e *subject) disconnect(ctx context.Context) error {
	e.client.Retain(func(func(*admission.Webhook) bool) {})
	s, err := e.source.Current(ctx)
	if err == nil {
		e.retain(s)
	}
	return err
}

// close ends the engine as its host would when it stops.
func (e *subject) close() error {
	e.source.Close()
	e.client.Close()
	return e.forget()
}

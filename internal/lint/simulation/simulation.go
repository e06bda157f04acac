package simulation

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"k8s.io/apiserver/pkg/admission"

	gatehouse "example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/offline/policies"
)

// State is the state of a backend.
type State uint8

const (
	// Healthy backends allow every request and change nothing.
	Healthy State = iota
	// Refusing backends refuse connections.
	Refusing
	// Hanging backends accept connections and never respond.
	Hanging
)

// Down has the backends that are not healthy.
type Down map[inventory.Backend]State

// Result is what happened to a request. The durations of its calls are virtual, too.
type Result struct {
	*gatehouse.Response
	// Elapsed is the virtual time that the request waited for webhooks, at most
	// until its deadline.
	Elapsed time.Duration
	// TimedOut says that the request failed because its deadline was over.
	TimedOut bool
}

// Allowed reports whether the request succeeded.
func (r *Result) Allowed() bool { return r.Response.Allowed && !r.TimedOut }

// Simulator runs requests. See New.
type Simulator struct {
	dispatcher *dispatcher.Dispatcher
	objects    admission.ObjectInterfaces
	config     dispatcher.Config
}

// New returns a Simulator for the webhooks and policies of an inventory.
func New(in *inventory.Inventory) (*Simulator, error) {
	webhooks, err := source.Fixed(in.Cluster.Configurations)
	if err != nil {
		return nil, fmt.Errorf("loading the webhook configurations: %w", err)
	}
	labels, err := newNamespaces(in.Cluster.Namespaces)
	if err != nil {
		return nil, fmt.Errorf("loading the namespaces: %w", err)
	}
	evaluator, err := in.Cluster.Evaluator(policies.Inputs{
		Namespaces: in.Cluster.Namespaces, AnyNamespace: true, Authorizer: in.Cluster.Authorizer(),
	})
	if err != nil {
		return nil, fmt.Errorf("loading the policies: %w", err)
	}
	config := dispatcher.Config{
		Source: webhooks, Client: newClients(in.Webhooks), Namespaces: labels,
		Authorizer: in.Cluster.Authorizer(), Policies: evaluator,
	}
	d, err := dispatcher.New(config)
	if err != nil {
		return nil, err
	}
	return &Simulator{d, in.Kinds.ObjectInterfaces(), config}, nil
}

// Ordered returns a Simulator that evaluates some policies first, in the order of their
// names.
func (s *Simulator) Ordered(names []string) (*Simulator, error) {
	evaluator, ok := s.config.Policies.(*policies.Evaluator)
	if !ok {
		return s, nil // there are no policies
	}
	config := s.config
	var err error
	if config.Policies, err = evaluator.Ordered(names); err != nil {
		return nil, err
	}
	d, err := dispatcher.New(config)
	if err != nil {
		return nil, err
	}
	return &Simulator{d, s.objects, config}, nil
}

// Run runs a request with a deadline while backends are down. The error says that
// the request is not one that an API server could receive, or that ctx ended.
func (s *Simulator) Run(
	ctx context.Context, r *gatehouse.Request, deadline time.Duration, down Down,
) (*Result, error) {
	run := &run{down: down, deadline: deadline}
	running, cancel := context.WithCancel(context.WithValue(ctx, runKey{}, run))
	defer cancel()
	run.expire = cancel
	response, err := simulate.Request(running, s.dispatcher, r, s.objects)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	run.setDurations(response.Calls)
	elapsed, timedOut := run.total()
	return &Result{Response: response, Elapsed: elapsed, TimedOut: timedOut}, nil
}

// clients are the endpoints of the webhooks. It implements dispatcher.Client.
type clients map[endpoint]*dispatcher.Endpoint

// endpoint identifies a webhook.
type endpoint struct {
	phase gatehouse.Phase
	uid   string
}

func newClients(webhooks []*inventory.Webhook) clients {
	all := clients{}
	for _, w := range webhooks {
		all[endpoint{w.Phase, w.UID}] = &dispatcher.Endpoint{
			URL: w.URL(), HTTP: &http.Client{Transport: &transport{webhook: w}},
		}
	}
	return all
}

// Endpoint implements dispatcher.Client.
func (c clients) Endpoint(_ context.Context, w *gatehouse.Webhook) (*dispatcher.Endpoint, error) {
	return c[endpoint{w.Phase, w.UID}], nil
}

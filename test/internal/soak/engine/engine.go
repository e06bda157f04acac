package engine

import (
	"context"
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/source"
)

// Options configure an Engine. The zero value has the defaults.
type Options struct {
	// Services returns the address of a service, by its namespace and name. Nil
	// means that there are none: webhooks have URLs.
	Services func(namespace, name string) (address string)
	// Wrap replaces the client. Nil keeps it.
	Wrap func(dispatcher.Client) dispatcher.Client
}

// Engine is a Dispatcher with its client. The caller must Close it.
type Engine struct {
	*dispatcher.Dispatcher
	client *client.Client
}

// Start returns an engine for these configurations, to which the defaults of
// the API are applied. The error is that of dispatcher/source, or of the
// dispatcher.
func Start(configurations []runtime.Object, o Options) (*Engine, error) {
	webhooks, err := source.Fixed(configurations)
	if err != nil {
		return nil, fmt.Errorf("starting an engine: %w", err)
	}
	var resolver webhookutil.ServiceResolver
	if o.Services != nil {
		resolver = services(o.Services)
	}
	reach, err := NewClient(resolver)
	if err != nil {
		return nil, fmt.Errorf("starting an engine: %w", err)
	}
	var way dispatcher.Client = reach
	if o.Wrap != nil {
		way = o.Wrap(way)
	}
	d, err := dispatcher.New(dispatcher.Config{Source: webhooks, Client: way})
	if err != nil {
		reach.Close()
		return nil, fmt.Errorf("starting an engine: %w", err)
	}
	return &Engine{Dispatcher: d, client: reach}, nil
}

// Enter takes a request through the webhooks of a phase.
func (e *Engine) Enter(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
	i apiadmission.ObjectInterfaces,
) error {
	if phase == admission.Mutating {
		return e.Mutating().Admit(ctx, a, i)
	}
	return e.Validating().Validate(ctx, a, i)
}

// Close closes the connections that are idle, and the others as soon as they
// are.
func (e *Engine) Close() { e.client.Close() }

// Mutating returns a configuration of that name with these webhooks.
func Mutating(
	name string, webhooks ...registrationv1.MutatingWebhook,
) *registrationv1.MutatingWebhookConfiguration {
	return &registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name},
		Webhooks: webhooks}
}

// Validating returns a configuration of that name with these webhooks.
func Validating(
	name string, webhooks ...registrationv1.ValidatingWebhook,
) *registrationv1.ValidatingWebhookConfiguration {
	return &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name},
		Webhooks: webhooks}
}

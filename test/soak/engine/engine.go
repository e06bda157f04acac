package engine

import (
	"fmt"
	"net/http"
	"net/url"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/source"
)

// Options say how an Engine is to be. The zero value is the engine as it comes.
type Options struct {
	// Services says where a service is, by its name and namespace. By default
	// there are none: webhooks have URLs.
	Services func(namespace, name string) (address string)
	// Wrap changes how webhooks are reached. By default it is as it comes.
	Wrap func(dispatcher.Client) dispatcher.Client
}

// Engine is a Dispatcher with the client that it needs. It belongs to whoever
// started it, who must Close it.
type Engine struct {
	*dispatcher.Dispatcher
	client *client.Client
}

// Start returns an engine for these configurations, to which the defaults of the
// API are applied. The error is that of dispatcher/source, or of the dispatcher.
func Start(configurations []runtime.Object, o Options) (*Engine, error) {
	webhooks, err := source.Fixed(configurations)
	if err != nil {
		return nil, fmt.Errorf("starting an engine: %w", err)
	}
	config := client.Config{Proxy: func(*http.Request) (*url.URL, error) { return nil, nil }}
	if o.Services != nil {
		config.Services = services(o.Services)
	}
	reach, err := client.New(config)
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

// Close closes the connections that are idle, and the others as soon as they are.
func (e *Engine) Close() { e.client.Close() }

// services finds all services by asking a function.
type services func(namespace, name string) string

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (s services) ResolveEndpoint(namespace, name string, _ int32) (*url.URL, error) {
	return &url.URL{Scheme: "https", Host: s(namespace, name)}, nil
}

// Mutating returns a configuration of that name with these webhooks.
func Mutating(name string, webhooks ...registrationv1.MutatingWebhook) *registrationv1.MutatingWebhookConfiguration {
	return &registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: webhooks}
}

// Validating returns a configuration of that name with these webhooks.
func Validating(name string, webhooks ...registrationv1.ValidatingWebhook) *registrationv1.ValidatingWebhookConfiguration {
	return &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: webhooks}
}

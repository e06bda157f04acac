package serviceresolver

import (
	"net/http"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
)

// handlerTransport is an http.RoundTripper that calls a handler in this
// process. client.InProcess implements it for admission webhooks; conversion
// webhooks use it through a synthetic admission.Webhook.
type handlerTransport struct {
	client  dispatcher.Client
	webhook *admission.Webhook
}

func newHandlerTransport(service Service, handler http.Handler) handlerTransport {
	reference := &registrationv1.ServiceReference{
		Namespace: service.Namespace, Name: service.Name, Port: &service.Port,
	}
	return handlerTransport{
		client: client.InProcess(func(*admission.Webhook) http.Handler { return handler }),
		webhook: &admission.Webhook{
			ClientConfig: registrationv1.WebhookClientConfig{Service: reference},
		},
	}
}

// RoundTrip implements http.RoundTripper.
func (t handlerTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	endpoint, err := t.client.Endpoint(request.Context(), t.webhook)
	if err != nil {
		return nil, err
	}
	return endpoint.HTTP.Transport.RoundTrip(request)
}

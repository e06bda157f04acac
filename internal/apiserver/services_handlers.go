package apiserver

import (
	"net/http"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
)

// inProcess is a round tripper to a handler in this process. Package client has one,
// which it gives to those who name a webhook; conversion webhooks have none, so one
// is made up.
type inProcess struct {
	client  dispatcher.Client
	webhook *admission.Webhook
}

func newInProcess(service Service, handler http.Handler) inProcess {
	reference := &registrationv1.ServiceReference{Namespace: service.Namespace, Name: service.Name, Port: &service.Port}
	return inProcess{
		client:  client.InProcess(func(*admission.Webhook) http.Handler { return handler }),
		webhook: &admission.Webhook{ClientConfig: registrationv1.WebhookClientConfig{Service: reference}},
	}
}

// RoundTrip implements http.RoundTripper.
func (p inProcess) RoundTrip(request *http.Request) (*http.Response, error) {
	endpoint, err := p.client.Endpoint(request.Context(), p.webhook)
	if err != nil {
		return nil, err
	}
	return endpoint.HTTP.Transport.RoundTrip(request)
}

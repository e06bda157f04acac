package inventory

import (
	"fmt"
	"net/url"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// Webhook is a webhook of a configuration.
type Webhook struct {
	*admission.Webhook
	// Document is the document of the configuration, and Field the path of the
	// webhook in it, such as "webhooks[1]".
	Document *manifest.Document
	Field    string
	// Backend is what answers for the webhook.
	Backend Backend
}

// Backend is a service or a host that answers for webhooks. Webhooks of one backend
// fail together.
type Backend struct {
	// Namespace and Service name a Service; empty if the webhooks have a URL.
	Namespace, Service string
	// Host is the HOST:PORT of a URL; empty for a service.
	Host string
}

// String returns NAMESPACE/SERVICE or HOST:PORT.
func (b Backend) String() string {
	if b.Service == "" {
		return b.Host
	}
	return b.Namespace + "/" + b.Service
}

// BackendOf returns the backend of a webhook. The ports of a Service are one
// backend: the same pods answer.
func BackendOf(w *admission.Webhook) Backend {
	if s := w.ClientConfig.Service; s != nil {
		return Backend{Namespace: s.Namespace, Service: s.Name}
	}
	address, _, err := webhookconfig.Address(w)
	if err != nil { // validation refuses such a webhook
		return Backend{}
	}
	return Backend{Host: address}
}

// URL returns where the webhook is called.
func (w *Webhook) URL() url.URL {
	if s := w.ClientConfig.Service; s != nil {
		host, _, _ := webhookconfig.Address(w.Webhook) // a service has an address
		address := url.URL{Scheme: "https", Host: host, Path: "/"}
		if s.Path != nil {
			address.Path = *s.Path
		}
		return address
	}
	if w.ClientConfig.URL != nil {
		if address, err := url.Parse(*w.ClientConfig.URL); err == nil {
			return *address
		}
	}
	return url.URL{Scheme: "https", Host: "invalid"} // validation refuses such a webhook
}

func webhooks(set *cluster.Set) []*Webhook {
	var all []*Webhook
	for _, configuration := range set.Configurations {
		kind, list := "", []*admission.Webhook(nil)
		switch c := configuration.(type) {
		case *registrationv1.MutatingWebhookConfiguration:
			kind, list = "MutatingWebhookConfiguration", admission.MutatingWebhooks(c)
		case *registrationv1.ValidatingWebhookConfiguration:
			kind, list = "ValidatingWebhookConfiguration", admission.ValidatingWebhooks(c)
		}
		for i, w := range list {
			all = append(all, &Webhook{
				Webhook: w, Document: set.DocumentOf(kind, "", w.Configuration),
				Field: fmt.Sprintf("webhooks[%d]", i), Backend: BackendOf(w),
			})
		}
	}
	return all
}

package model

import (
	"fmt"
	"net/url"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/cluster"
)

// Configuration is the model of a webhook configuration in force.
type Configuration struct {
	Name     string
	Webhooks []Webhook
}

// Webhook is a webhook of a configuration.
type Webhook struct {
	Name string
	// Role and Revision are parts of its path.
	Role     string
	Revision int64
	// Fault is the fault that requests have to ask for; empty if there is none.
	Fault     string
	Resources []string
	// Ignore is whether its failurePolicy is Ignore.
	Ignore bool
}

// Of returns the configuration that an API object is. It panics about objects
// that no Draft has made.
func Of(o cluster.Object) *Configuration {
	var webhooks []*admission.Webhook
	switch o := o.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		webhooks = admission.MutatingWebhooks(o)
	case *registrationv1.ValidatingWebhookConfiguration:
		webhooks = admission.ValidatingWebhooks(o)
	default:
		panic(fmt.Sprintf("model: %T is no configuration", o))
	}
	c := &Configuration{Name: o.GetName()}
	for _, w := range webhooks {
		_, role, revision := Called(pathOf(w.ClientConfig))
		c.Webhooks = append(c.Webhooks, Webhook{
			Name: w.Name, Role: role, Revision: revision,
			Fault: w.ObjectSelector.MatchLabels[FaultLabel], Resources: w.Rules[0].Resources,
			Ignore: w.IgnoresFailures(),
		})
	}
	return c
}

func pathOf(c registrationv1.WebhookClientConfig) string {
	if c.Service != nil {
		return *c.Service.Path
	}
	u, err := url.Parse(*c.URL)
	if err != nil {
		panic(fmt.Sprintf("model: %v", err))
	}
	return u.Path
}

// visits reports whether the webhook is called for a request.
func (w *Webhook) visits(r Request) bool {
	return slices.Contains(w.Resources, r.Resource) && (w.Fault == "" || w.Fault == r.Fault)
}

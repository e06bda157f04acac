package model

import (
	"fmt"
	"net/url"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/cluster"
)

// Configuration is the model of a webhook configuration in force, or of a
// namespace, which configures webhooks, too.
type Configuration struct {
	Name     string
	Webhooks []Webhook
	// Golden is whether webhooks select the namespace, and version tells its
	// states apart.
	Golden  bool
	version string
}

// Webhook is a webhook of a configuration.
type Webhook struct {
	Name string
	// Role and Revision are parts of its path.
	Role     string
	Revision int64
	// Fault is the fault that requests have to ask for, and Team that of their
	// objects; empty if it does not matter.
	Fault, Team string
	// Operations, Resources and Versions are those of its rule.
	Operations          []registrationv1.OperationType
	Resources, Versions []string
	// Equivalent is whether it gets other versions converted.
	Equivalent bool
	// Golden is whether it selects golden namespaces only.
	Golden bool
	// Conditional is whether it has a matchCondition.
	Conditional bool
	// Effects is whether it must not be called for a dry run.
	Effects bool
	// Again is whether its reinvocationPolicy is IfNeeded.
	Again bool
	// Ignore is whether its failurePolicy is Ignore.
	Ignore bool
}

// Of returns the configuration that an API object is. It panics about objects
// that neither a Draft nor Namespace has made.
func Of(o cluster.Object) *Configuration {
	var webhooks []*admission.Webhook
	switch o := o.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		webhooks = admission.MutatingWebhooks(o)
	case *registrationv1.ValidatingWebhookConfiguration:
		webhooks = admission.ValidatingWebhooks(o)
	case *corev1.Namespace:
		return &Configuration{Name: o.Name, Golden: golden(o.Labels), version: o.Labels[versionLabel]}
	default:
		panic(fmt.Sprintf("model: %T is no configuration", o))
	}
	c := &Configuration{Name: o.GetName()}
	for _, w := range webhooks {
		c.Webhooks = append(c.Webhooks, webhookOf(w))
	}
	return c
}

func webhookOf(w *admission.Webhook) Webhook {
	_, role, revision := Called(pathOf(w.ClientConfig))
	selected, rule := w.ObjectSelector.MatchLabels, w.Rules[0]
	return Webhook{
		Name: w.Name, Role: role, Revision: revision,
		Fault: selected[FaultLabel], Team: selected[teamLabel],
		Operations: rule.Operations, Resources: rule.Resources, Versions: rule.APIVersions,
		Equivalent:  *w.MatchPolicy == registrationv1.Equivalent,
		Golden:      len(w.NamespaceSelector.MatchLabels) > 0,
		Conditional: len(w.MatchConditions) > 0,
		Effects:     *w.SideEffects == registrationv1.SideEffectClassSome,
		Again:       w.Reinvocable(),
		Ignore:      w.IgnoresFailures(),
	}
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

package admission

import (
	"strconv"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Webhook is an entry in the webhooks of a configuration of either kind. Its
// fields have the meaning that admissionregistration.k8s.io/v1 gives them.
// Without defaulting, absent fields have the meaning that the field's comment
// gives.
//
// A Webhook shares memory with its configuration. Do not modify either.
type Webhook struct {
	// Phase is the phase of the configuration.
	Phase Phase
	// Configuration is the metadata.name of the configuration.
	Configuration string
	// UID is CONFIGURATION/NAME/N, where N counts the webhooks of the same name
	// that come before this one (S-062). It is unique within a phase.
	UID string
	// Static reports whether the webhook comes from a manifest file of the API
	// server, not from its API. Static webhooks also receive requests for the
	// kinds that configure admission (S-052).
	Static bool

	// Name is the name of the webhook in metrics, annotations and messages.
	Name string
	// ClientConfig is the URL or the service of the webhook.
	ClientConfig registrationv1.WebhookClientConfig
	// Rules are the operations and resources that the webhook receives. A
	// webhook without rules is never called.
	Rules []registrationv1.RuleWithOperations
	// FailurePolicy decides about failed calls. Absent means Fail (S-254).
	FailurePolicy *registrationv1.FailurePolicyType
	// MatchPolicy says whether a request for the same object under another
	// group or version matches. Absent means Exact (S-083).
	MatchPolicy *registrationv1.MatchPolicyType
	// NamespaceSelector selects requests by their namespace's labels. Absent
	// selects nothing (S-068).
	NamespaceSelector *metav1.LabelSelector
	// ObjectSelector selects requests by the object's labels. Absent selects
	// nothing (S-068).
	ObjectSelector *metav1.LabelSelector
	// SideEffects says whether the webhook may be called for a dry run. Absent
	// makes such a call fail (S-200).
	SideEffects *registrationv1.SideEffectClass
	// TimeoutSeconds bounds one call. If it is absent, only the deadlines of
	// the request and of the client apply (S-260).
	TimeoutSeconds *int32
	// AdmissionReviewVersions lists the versions that the webhook understands,
	// the preferred one first (S-210).
	AdmissionReviewVersions []string
	// MatchConditions are CEL expressions, all of which have to be true.
	MatchConditions []registrationv1.MatchCondition
	// ReinvocationPolicy says whether the webhook may be called again after
	// another webhook or plugin has changed the object. Absent means Never.
	// Validating webhooks have none.
	ReinvocationPolicy *registrationv1.ReinvocationPolicyType
}

// IgnoresFailures reports whether a failed call lets the request pass. Only the
// policy Ignore does; an absent or unknown one does not (S-254).
func (w *Webhook) IgnoresFailures() bool {
	return w.FailurePolicy != nil && *w.FailurePolicy == registrationv1.Ignore
}

// Reinvocable reports whether the webhook may be called a second time.
func (w *Webhook) Reinvocable() bool {
	p := w.ReinvocationPolicy
	return p != nil && *p == registrationv1.IfNeededReinvocationPolicy
}

// MutatingWebhooks returns the webhooks of a configuration in list order.
func MutatingWebhooks(c *registrationv1.MutatingWebhookConfiguration) []*Webhook {
	webhooks := make([]*Webhook, len(c.Webhooks))
	uid := uidsFor(c.Name)
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		webhooks[i] = &Webhook{
			Phase:                   Mutating,
			Configuration:           c.Name,
			UID:                     uid(w.Name),
			Name:                    w.Name,
			ClientConfig:            w.ClientConfig,
			Rules:                   w.Rules,
			FailurePolicy:           w.FailurePolicy,
			MatchPolicy:             w.MatchPolicy,
			NamespaceSelector:       w.NamespaceSelector,
			ObjectSelector:          w.ObjectSelector,
			SideEffects:             w.SideEffects,
			TimeoutSeconds:          w.TimeoutSeconds,
			AdmissionReviewVersions: w.AdmissionReviewVersions,
			MatchConditions:         w.MatchConditions,
			ReinvocationPolicy:      w.ReinvocationPolicy,
		}
	}
	return webhooks
}

// ValidatingWebhooks returns the webhooks of a configuration in list order.
func ValidatingWebhooks(c *registrationv1.ValidatingWebhookConfiguration) []*Webhook {
	webhooks := make([]*Webhook, len(c.Webhooks))
	uid := uidsFor(c.Name)
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		webhooks[i] = &Webhook{
			Phase:                   Validating,
			Configuration:           c.Name,
			UID:                     uid(w.Name),
			Name:                    w.Name,
			ClientConfig:            w.ClientConfig,
			Rules:                   w.Rules,
			FailurePolicy:           w.FailurePolicy,
			MatchPolicy:             w.MatchPolicy,
			NamespaceSelector:       w.NamespaceSelector,
			ObjectSelector:          w.ObjectSelector,
			SideEffects:             w.SideEffects,
			TimeoutSeconds:          w.TimeoutSeconds,
			AdmissionReviewVersions: w.AdmissionReviewVersions,
			MatchConditions:         w.MatchConditions,
		}
	}
	return webhooks
}

// uidsFor returns a function that returns the UIDs of the webhooks of a
// configuration. The caller passes their names in list order.
func uidsFor(configuration string) func(name string) string {
	seen := map[string]int{}
	return func(name string) string {
		n := seen[name]
		seen[name]++
		return configuration + "/" + name + "/" + strconv.Itoa(n)
	}
}

package admission

import (
	"strconv"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Webhook is one entry of the webhooks list of a configuration, of either kind.
// Its fields have the meaning that admissionregistration.k8s.io/v1 gives them;
// what an absent field means is said here, because nothing in this package
// applies defaults.
//
// A Webhook shares memory with the configuration that it was made from and
// must be treated as read-only, as must that configuration.
type Webhook struct {
	// Phase says which kind of configuration the webhook comes from.
	Phase Phase
	// Configuration is the metadata.name of that configuration.
	Configuration string
	// UID tells webhooks of equal name apart: configuration, webhook name and
	// how many webhooks of that name come before it in the configuration
	// (S-062). It is unique within a phase.
	UID string
	// Static says that the webhook comes from a manifest on the server's own disk
	// and not from its API. Such a webhook also sees requests for the kinds that
	// configure admission (S-052).
	Static bool

	// Name is the webhook's own name, which metrics, annotations and messages
	// use.
	Name string
	// ClientConfig says where the webhook is: a URL or a service.
	ClientConfig registrationv1.WebhookClientConfig
	// Rules are the operations and resources that the webhook asks for. A
	// webhook without rules is never called.
	Rules []registrationv1.RuleWithOperations
	// FailurePolicy says what a failed call means. Absent means Fail (S-254).
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
	// TimeoutSeconds bounds one call. Absent leaves the request's own deadline
	// and the client's as the only bounds (S-260).
	TimeoutSeconds *int32
	// AdmissionReviewVersions lists the versions that the webhook understands,
	// the preferred one first (S-210).
	AdmissionReviewVersions []string
	// MatchConditions are CEL expressions that all have to be true.
	MatchConditions []registrationv1.MatchCondition
	// ReinvocationPolicy says whether the webhook may be called a second time
	// when others change the object after it. Absent means Never. Validating
	// webhooks have none.
	ReinvocationPolicy *registrationv1.ReinvocationPolicyType
}

// IgnoresFailures reports whether a failed call lets the request pass. Only the
// policy Ignore does; an absent or unknown one does not (S-254).
func (w *Webhook) IgnoresFailures() bool {
	return w.FailurePolicy != nil && *w.FailurePolicy == registrationv1.Ignore
}

// Reinvocable reports whether the webhook may be called a second time.
func (w *Webhook) Reinvocable() bool {
	return w.ReinvocationPolicy != nil && *w.ReinvocationPolicy == registrationv1.IfNeededReinvocationPolicy
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

// uidsFor returns a function that numbers the webhooks of one configuration as
// their names are passed to it in list order.
func uidsFor(configuration string) func(name string) string {
	seen := map[string]int{}
	return func(name string) string {
		n := seen[name]
		seen[name]++
		return configuration + "/" + name + "/" + strconv.Itoa(n)
	}
}

package model

import (
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/cluster"
	"example.com/gatehouse/test/internal/soak/engine"
)

// Draft is a configuration to be written.
type Draft struct {
	Name  string
	Phase admission.Phase
	// Revision is part of the webhooks' paths, and their names and
	// failurePolicies follow from it.
	Revision int64
	Webhooks []WebhookDraft
}

// WebhookDraft is a webhook to be written.
type WebhookDraft struct {
	// Role is the part of its name that stays the same.
	Role string
	// Fault is the fault that it has, and which requests have to ask for; empty
	// if it has none and is called for every request for its resources.
	Fault     string
	Resources []string
	// Operations are those of its rule. The default is all.
	Operations []registrationv1.OperationType
	// Team is that of the objects which its objectSelector selects. The default
	// is all objects.
	Team string
	// Golden is whether it selects golden namespaces only.
	Golden bool
	// Converted is whether its rule has version v1 only. Its matchPolicy is
	// Equivalent at every second revision, and otherwise Exact.
	Converted bool
	// Conditional is whether it has a matchCondition. Its failurePolicy is
	// Ignore at every second revision.
	Conditional bool
	// Effects is whether it has side effects at every second revision.
	Effects bool
	// Again is whether its reinvocationPolicy is IfNeeded.
	Again bool
	// Client is the webhook's address; the path is added.
	Client registrationv1.WebhookClientConfig
}

// How many different names a webhook has in turn, of those without and with a
// fault. Names are labels of metrics, which remember every one.
const (
	namesOfSound  = 8
	namesOfFaulty = 2
)

// Object returns the configuration as an API object.
func (d Draft) Object() cluster.Object {
	meta := metav1.ObjectMeta{Name: d.Name}
	if d.Phase == admission.Mutating {
		c := &registrationv1.MutatingWebhookConfiguration{ObjectMeta: meta}
		for _, w := range d.Webhooks {
			mutating := engine.MutatingOf(w.object(d.Phase, d.Revision))
			mutating.ReinvocationPolicy = new(registrationv1.NeverReinvocationPolicy)
			if w.Again {
				mutating.ReinvocationPolicy = new(registrationv1.IfNeededReinvocationPolicy)
			}
			c.Webhooks = append(c.Webhooks, mutating)
		}
		return c
	}
	c := &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: meta}
	for _, w := range d.Webhooks {
		c.Webhooks = append(c.Webhooks, w.object(d.Phase, d.Revision))
	}
	return c
}

func (w WebhookDraft) object(
	phase admission.Phase, revision int64,
) registrationv1.ValidatingWebhook {
	sorts := int64(namesOfSound)
	if w.Fault != "" {
		sorts = namesOfFaulty
	}
	object := registrationv1.ValidatingWebhook{
		// Of another name than the other phase's: audit annotations are the
		// request's.
		Name:         fmt.Sprintf("%s-%02d.%v.example.com", w.Role, revision%sorts, phase),
		ClientConfig: w.at(Path(phase, w.Role, revision)),
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{registrationv1.OperationAll},
			Rule: registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"},
				Resources: w.Resources},
		}},
		FailurePolicy:     new(registrationv1.Fail),
		MatchPolicy:       new(registrationv1.Exact),
		NamespaceSelector: &metav1.LabelSelector{},
		ObjectSelector:    &metav1.LabelSelector{},
		SideEffects:       new(registrationv1.SideEffectClassNone),
		// The longest timeout: calls with other faults must end before it, even on
		// a busy machine.
		TimeoutSeconds:          new(int32(30)),
		AdmissionReviewVersions: []string{"v1"},
	}
	w.narrow(&object, revision)
	return object
}

// narrow makes the webhook one that not every request for its resources
// reaches.
func (w WebhookDraft) narrow(object *registrationv1.ValidatingWebhook, revision int64) {
	even := revision%2 == 0
	if w.Fault != "" {
		object.ObjectSelector.MatchLabels = map[string]string{FaultLabel: w.Fault}
		if (revision+int64(len(w.Fault)))%2 == 0 {
			object.FailurePolicy = new(registrationv1.Ignore)
		}
		if takesItsTime(w.Fault) {
			object.TimeoutSeconds = new(int32(1))
		}
	}
	if w.Operations != nil {
		object.Rules[0].Operations = w.Operations
	}
	if w.Team != "" {
		object.ObjectSelector.MatchLabels = map[string]string{teamLabel: w.Team}
	}
	if w.Golden {
		object.NamespaceSelector.MatchLabels = goldenSelector()
	}
	if w.Converted {
		object.Rules[0].APIVersions = []string{"v1"}
		if even {
			object.MatchPolicy = new(registrationv1.Equivalent)
		}
	}
	if w.Conditional {
		object.MatchConditions = []registrationv1.MatchCondition{{
			Name: "condition", Expression: condition(w.Role, revision),
		}}
		if even {
			object.FailurePolicy = new(registrationv1.Ignore)
		}
	}
	if w.Effects && even {
		object.SideEffects = new(registrationv1.SideEffectClassSome)
	}
}

// condition returns the expression of a webhook, which its errors quote.
func condition(role string, revision int64) string {
	return fmt.Sprintf(`"%s@%d" != "" && (object == null ? oldObject : object)`+
		`.metadata.labels[%q] == "true"`, role, revision, conditionLabel)
}

// at returns where the webhook is called under a path.
func (w WebhookDraft) at(path string) registrationv1.WebhookClientConfig {
	// The bundle is shared by all revisions.
	c := w.Client
	if c.URL != nil {
		c.URL = new(*c.URL + path)
		return c
	}
	service := *c.Service
	service.Path = &path
	c.Service = &service
	return c
}

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
	// Client is the webhook's address; the path is added.
	Client registrationv1.WebhookClientConfig
}

// How many different names a webhook has in turn, of those without and with a
// fault. Names are labels of metrics, which remember every one.
const (
	namesOfSound  = 32
	namesOfFaulty = 4
)

// Object returns the configuration as an API object.
func (d Draft) Object() cluster.Object {
	meta := metav1.ObjectMeta{Name: d.Name}
	if d.Phase == admission.Mutating {
		c := &registrationv1.MutatingWebhookConfiguration{ObjectMeta: meta}
		for _, w := range d.Webhooks {
			mutating := engine.MutatingOf(w.object(d.Phase, d.Revision))
			mutating.ReinvocationPolicy = new(registrationv1.NeverReinvocationPolicy)
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
	// The longest timeout: calls with other faults must end before it, even on
	// a busy machine.
	sorts, policy, timeout := int64(namesOfSound), registrationv1.Fail, int32(30)
	selector := &metav1.LabelSelector{}
	if w.Fault != "" {
		sorts = namesOfFaulty
		selector.MatchLabels = map[string]string{FaultLabel: w.Fault}
		if (revision+int64(len(w.Fault)))%2 == 0 {
			policy = registrationv1.Ignore
		}
		if takesItsTime(w.Fault) {
			timeout = 1
		}
	}
	return registrationv1.ValidatingWebhook{
		// Of another name than the other phase's: audit annotations are the
		// request's.
		Name:         fmt.Sprintf("%s-%02d.%v.example.com", w.Role, revision%sorts, phase),
		ClientConfig: w.at(Path(phase, w.Role, revision)),
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{registrationv1.Create},
			Rule: registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"},
				Resources: w.Resources},
		}},
		FailurePolicy:           &policy,
		MatchPolicy:             new(registrationv1.Exact),
		NamespaceSelector:       &metav1.LabelSelector{},
		ObjectSelector:          selector,
		SideEffects:             new(registrationv1.SideEffectClassNone),
		TimeoutSeconds:          &timeout,
		AdmissionReviewVersions: []string{"v1"},
	}
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

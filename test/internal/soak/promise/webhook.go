package promise

import (
	"encoding/json"
	"strconv"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// webhook is one in either phase; what the phases' types have in common is
// enough.
type webhook = registrationv1.ValidatingWebhook

// hook is a webhook for all resources whose service is the server. Its timeout
// is longer than any check needs.
func hook(changes ...func(*webhook)) webhook {
	w := webhook{
		Name: "hook.example.com",
		ClientConfig: registrationv1.WebhookClientConfig{
			Service: &registrationv1.ServiceReference{Namespace: "test", Name: "hook"},
		},
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{registrationv1.OperationAll},
			Rule: registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"},
				Resources: []string{"*"}},
		}},
		FailurePolicy:           new(registrationv1.Fail),
		MatchPolicy:             new(registrationv1.Equivalent),
		NamespaceSelector:       &metav1.LabelSelector{},
		ObjectSelector:          &metav1.LabelSelector{},
		SideEffects:             new(registrationv1.SideEffectClassNone),
		TimeoutSeconds:          new(int32(30)),
		AdmissionReviewVersions: []string{"v1"},
	}
	for _, change := range changes {
		change(&w)
	}
	return w
}

// seconds limits the time that a call may take.
func seconds(n int32) func(*webhook) { return func(w *webhook) { *w.TimeoutSeconds = n } }

// at has the webhook called by a URL. {{address}} is the server's, {{other}}
// that of its second origin.
func at(url string) func(*webhook) {
	return func(w *webhook) { w.ClientConfig = registrationv1.WebhookClientConfig{URL: &url} }
}

// configuration is one of the phase that holds the webhooks.
func configuration(
	phase admission.Phase, name string, revision int64, webhooks []webhook,
) (runtime.Object, error) {
	meta := metav1.ObjectMeta{Name: name,
		Labels: map[string]string{revisionLabel: strconv.FormatInt(revision, 10)}}
	if phase == admission.Validating {
		return &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: meta, Webhooks: webhooks}, nil
	}
	content, err := json.Marshal(webhooks)
	if err != nil {
		return nil, err
	}
	mutating := &registrationv1.MutatingWebhookConfiguration{ObjectMeta: meta}
	return mutating, json.Unmarshal(content, &mutating.Webhooks)
}

package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/registration"
)

// TestInformedTakesWhatIsStored delivers what no API server would accept today.
// What is stored is in force, however long ago it was accepted, and undefaulted
// if it was stored so.
func TestInformedTakesWhatIsStored(t *testing.T) {
	t.Parallel()
	stored := &registrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "old.static.k8s.io"},
		Webhooks: []registrationv1.ValidatingWebhook{
			{Name: "same"}, {Name: "same"}, {},
			{
				Name:                    "wrong.example.com",
				ClientConfig:            registrationv1.WebhookClientConfig{URL: new("ftp://"), Service: &registrationv1.ServiceReference{Port: new(int32(-1))}},
				Rules:                   []registrationv1.RuleWithOperations{{Operations: []registrationv1.OperationType{"PATCH"}}},
				FailurePolicy:           new(registrationv1.FailurePolicyType("Maybe")),
				MatchPolicy:             new(registrationv1.MatchPolicyType("")),
				NamespaceSelector:       &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "!", Operator: "Bogus"}}},
				ObjectSelector:          &metav1.LabelSelector{MatchLabels: map[string]string{"a": "not a value"}},
				SideEffects:             new(registrationv1.SideEffectClassUnknown),
				TimeoutSeconds:          new(int32(99)),
				AdmissionReviewVersions: []string{"v0"},
				MatchConditions:         []registrationv1.MatchCondition{{Expression: "1 +"}},
			},
		},
	}
	if problems := registration.Validate(stored); len(problems) < 15 {
		t.Fatalf("there is not much wrong with it:\n%v", problems.ToAggregate())
	}

	snapshot := follow(t, stored).current(t)
	var got []*admission.Webhook
	for _, w := range snapshot.Webhooks(admission.Validating) {
		got = append(got, w.Webhook)
	}
	if diff := cmp.Diff(admission.ValidatingWebhooks(stored), got); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if uids := strings.Join(orderOf(snapshot).Validating, " "); !strings.Contains(uids, "old.static.k8s.io/same/1") {
		t.Errorf("equal names are to stay apart: %s", uids)
	}
}

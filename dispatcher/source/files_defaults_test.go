package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
)

func TestFilesAppliesDefaults(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"a.yaml": sound(mutatingKind, "a") + "---\n" + sound(validatingKind, "a")})
	list, err := Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []admission.Phase{admission.Mutating, admission.Validating} {
		got := current(t, list).Webhooks(p)[0].Webhook
		if diff := cmp.Diff(soundWebhook(p), got); diff != "" {
			t.Errorf("%v webhook (-want +got):\n%s", p, diff)
		}
	}
}

// soundWebhook is the webhook of sound with the defaults of v1.
func soundWebhook(p admission.Phase) *admission.Webhook {
	w := &admission.Webhook{
		Phase:                   p,
		Configuration:           "a",
		UID:                     "a/w.example.com/0",
		Name:                    "w.example.com",
		ClientConfig:            registrationv1.WebhookClientConfig{URL: new("https://127.0.0.1/w")},
		FailurePolicy:           new(registrationv1.Fail),
		MatchPolicy:             new(registrationv1.Equivalent),
		NamespaceSelector:       &metav1.LabelSelector{},
		ObjectSelector:          &metav1.LabelSelector{},
		SideEffects:             new(registrationv1.SideEffectClassNone),
		TimeoutSeconds:          new(int32(10)),
		AdmissionReviewVersions: []string{"v1"},
	}
	if p == admission.Mutating {
		w.ReinvocationPolicy = new(registrationv1.NeverReinvocationPolicy)
	}
	return w
}

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

// TestFilesAppliesTheDefaultsOfTheVersion has a v1beta1 file keep the meaning
// that it had, as a webhook like all others.
func TestFilesAppliesTheDefaultsOfTheVersion(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"a.yaml": `apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingWebhookConfiguration
metadata: {name: a}
webhooks:
- name: w.example.com
  clientConfig: {url: "https://127.0.0.1/w"}
`})
	list, err := Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := soundWebhook(admission.Validating)
	want.FailurePolicy, want.MatchPolicy = new(registrationv1.Ignore), new(registrationv1.Exact)
	want.SideEffects = new(registrationv1.SideEffectClassUnknown)
	want.TimeoutSeconds = new(int32(30))
	want.AdmissionReviewVersions = []string{"v1beta1"}
	if diff := cmp.Diff(want, current(t, list).Webhooks(admission.Validating)[0].Webhook); diff != "" {
		t.Errorf("webhook (-want +got):\n%s", diff)
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

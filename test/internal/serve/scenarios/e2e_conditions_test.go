package scenarios_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type condition = registrationv1.MatchCondition

// first is what the conditions are to begin with.
func first() []condition {
	return []condition{{Name: "expression-1", Expression: "object.metadata.namespace == 'production'"}}
}

// both is what they become.
func both() []condition {
	return append(first(), condition{Name: "expression-2", Expression: "object.metadata.namespace == 'staging'"})
}

// broken cannot be compiled.
func broken() []condition {
	return []condition{{Name: "invalid-expression-1", Expression: "... [] bad expression"}}
}

// testConditionsValidating is E-18.
func testConditionsValidating(t *testing.T, w *world) {
	client := w.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	hook := w.denyMaps(registrationv1.Create)
	hook.MatchConditions = first()
	w.registerV(t, w.validation(hook))
	read := must[*validatingConfiguration](t)(client.Get(t.Context(), w.namespace, metav1.GetOptions{}))
	wantConditions(t, first(), read.Webhooks[0].MatchConditions)
	read.Webhooks[0].MatchConditions = both()
	must[*validatingConfiguration](t)(client.Update(t.Context(), read, metav1.UpdateOptions{}))
	read = must[*validatingConfiguration](t)(client.Get(t.Context(), w.namespace, metav1.GetOptions{}))
	wantConditions(t, both(), read.Webhooks[0].MatchConditions)
}

// testConditionsMutating is E-19.
func testConditionsMutating(t *testing.T, w *world) {
	client := w.AdmissionregistrationV1().MutatingWebhookConfigurations()
	hook := w.stage1()
	hook.MatchConditions = first()
	w.registerM(t, w.mutation(hook))
	read := must[*mutatingConfiguration](t)(client.Get(t.Context(), w.namespace, metav1.GetOptions{}))
	wantConditions(t, first(), read.Webhooks[0].MatchConditions)
	read.Webhooks[0].MatchConditions = both()
	must[*mutatingConfiguration](t)(client.Update(t.Context(), read, metav1.UpdateOptions{}))
	read = must[*mutatingConfiguration](t)(client.Get(t.Context(), w.namespace, metav1.GetOptions{}))
	wantConditions(t, both(), read.Webhooks[0].MatchConditions)
}

func wantConditions(t *testing.T, want, got []condition) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("match conditions (-want, +got):\n%s", diff)
	}
}

// testInvalidValidating is E-20.
func testInvalidValidating(t *testing.T, w *world) {
	hook := w.denyMaps(registrationv1.Create)
	hook.MatchConditions = broken()
	_, err := w.AdmissionregistrationV1().ValidatingWebhookConfigurations().Create(t.Context(), w.validation(hook), metav1.CreateOptions{})
	wantError(t, err, "compilation failed")
}

// testInvalidMutating is E-21.
func testInvalidMutating(t *testing.T, w *world) {
	hook := w.stage1()
	hook.MatchConditions = broken()
	_, err := w.AdmissionregistrationV1().MutatingWebhookConfigurations().Create(t.Context(), w.mutation(hook), metav1.CreateOptions{})
	wantError(t, err, "compilation failed")
}

// testSkip is E-22.
func testSkip(t *testing.T, w *world) {
	hook := w.stage1()
	hook.MatchConditions = []condition{{Name: "skip-me", Expression: "object.metadata.name != 'skip-me'"}}
	w.mutate(t, hook)
	changed := must[*corev1.ConfigMap](t)(w.createMap(t, "not-to-be-skipped", started()))
	wantData(t, changed.Data, "mutation-start", "mutation-stage-1")
	skipped := must[*corev1.ConfigMap](t)(w.createMap(t, "skip-me", started()))
	wantData(t, skipped.Data, "mutation-start")
}

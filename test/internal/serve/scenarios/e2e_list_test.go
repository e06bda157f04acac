package scenarios_test

import (
	"fmt"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// listed is how many configurations the scenarios register.
const listed = 10

// of returns the metadata of one of those configurations, and how to list all.
func (w *world) of(i int) (metav1.ObjectMeta, metav1.ListOptions) {
	const label = "e2e-list-test-uuid"
	return metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", w.namespace, i), Labels: map[string]string{label: w.namespace}},
		metav1.ListOptions{LabelSelector: label + "=" + w.namespace}
}

// testListValidating is E-16.
func testListValidating(t *testing.T, w *world) {
	client := w.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	var all metav1.ListOptions
	for i := range listed {
		configuration := w.validation(w.denyMaps(registrationv1.Create))
		configuration.ObjectMeta, all = w.of(i)
		w.registerV(t, configuration)
	}
	list := must[*registrationv1.ValidatingWebhookConfigurationList](t)(client.List(t.Context(), all))
	if len(list.Items) != listed {
		t.Errorf("%d configurations are listed, want %d", len(list.Items), listed)
	}
	w.awaitMarker(t)
	_, err := w.createAny(t, unwanted())
	wantError(t, err, unwantedText)
	wantNone(t, client.DeleteCollection(t.Context(), metav1.DeleteOptions{}, all))
	eventually(t, "the configmap is not created after the deletion", func() bool { _, err := w.createAny(t, unwanted()); return err == nil })
}

// testListMutating is E-17.
func testListMutating(t *testing.T, w *world) {
	client := w.AdmissionregistrationV1().MutatingWebhookConfigurations()
	var all metav1.ListOptions
	for i := range listed {
		configuration := w.mutation(w.stage1())
		configuration.ObjectMeta, all = w.of(i)
		w.registerM(t, configuration)
	}
	list := must[*registrationv1.MutatingWebhookConfigurationList](t)(client.List(t.Context(), all))
	if len(list.Items) != listed {
		t.Errorf("%d configurations are listed, want %d", len(list.Items), listed)
	}
	w.awaitMarker(t)
	if !w.staged(t) {
		t.Error("the configmap is not changed")
	}
	wantNone(t, client.DeleteCollection(t.Context(), metav1.DeleteOptions{}, all))
	eventually(t, "the configmap is changed after the deletion", func() bool { return !w.staged(t) })
}

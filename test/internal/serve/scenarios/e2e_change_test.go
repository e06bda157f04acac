package scenarios_test

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// toCreate has the first webhook of a configuration look at what is created.
const toCreate = `[{"op":"replace","path":"/webhooks/0/rules/0/operations","value":["CREATE"]}]`

// testChangeValidating is E-14.
func testChangeValidating(t *testing.T, w *world) {
	client := w.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	configuration := w.registerV(t, w.validation(w.denyMaps(registrationv1.Create)))
	w.awaitMarker(t)
	denied := func() bool { _, err := w.createAny(t, unwanted()); return isDenied(err) }
	created := func() bool { _, err := w.createAny(t, unwanted()); return err == nil }
	eventually(t, "the configmap is not denied", denied)
	configuration.Webhooks[0].Rules[0].Operations = []operation{registrationv1.Update}
	must[*validatingConfiguration](t)(client.Update(t.Context(), configuration, metav1.UpdateOptions{}))
	eventually(t, "the configmap is not created after the update", created)
	must[*validatingConfiguration](t)(client.Patch(t.Context(), configuration.Name, types.JSONPatchType, []byte(toCreate), metav1.PatchOptions{}))
	eventually(t, "the configmap is not denied after the patch", denied)
}

// testChangeMutating is E-15.
func testChangeMutating(t *testing.T, w *world) {
	client := w.AdmissionregistrationV1().MutatingWebhookConfigurations()
	configuration := w.registerM(t, w.mutation(w.stage1()))
	w.awaitMarker(t)
	eventually(t, "the configmap is not changed", func() bool { return w.staged(t) })
	configuration.Webhooks[0].Rules[0].Operations = []operation{registrationv1.Update}
	must[*mutatingConfiguration](t)(client.Update(t.Context(), configuration, metav1.UpdateOptions{}))
	eventually(t, "the configmap is changed after the update", func() bool { return !w.staged(t) })
	must[*mutatingConfiguration](t)(client.Patch(t.Context(), configuration.Name, types.JSONPatchType, []byte(toCreate), metav1.PatchOptions{}))
	eventually(t, "the configmap is not changed after the patch", func() bool { return w.staged(t) })
}

// staged reports whether a configmap that is created now is changed.
func (w *world) staged(t *testing.T) bool {
	t.Helper()
	created := must[*corev1.ConfigMap](t)(w.createAny(t, started()))
	return created.Data["mutation-stage-1"] == "yes"
}

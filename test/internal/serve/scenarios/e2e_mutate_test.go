package scenarios_test

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
)

// stage1 is the first of the two webhooks that add to configmaps.
func (w *world) stage1() mutatingHook {
	return w.mutating("adding-configmap-data-stage-1.k8s.io", "/mutating-configmaps", onMaps())
}

// testOrder is E-06.
func testOrder(t *testing.T, w *world) {
	w.mutate(t, w.stage1(), w.mutating("adding-configmap-data-stage-2.k8s.io", "/mutating-configmaps", onMaps()))
	created := must[*corev1.ConfigMap](t)(w.createMap(t, "to-be-mutated", started()))
	wantData(t, created.Data, "mutation-start", "mutation-stage-1", "mutation-stage-2")
}

// testDefaulting is E-07.
func testDefaulting(t *testing.T, w *world) {
	w.mutate(t, w.mutating("adding-init-container.k8s.io", "/mutating-pods", onCore("pods", registrationv1.Create)))
	created := must[*corev1.Pod](t)(w.createPod(t, "webhook-to-be-mutated", "example", nil))
	if len(created.Spec.InitContainers) != 1 {
		t.Fatalf("init containers are %v, want one", created.Spec.InitContainers)
	}
	added := created.Spec.InitContainers[0]
	if added.Name != "webhook-added-init-container" || added.TerminationMessagePolicy != corev1.TerminationMessageReadFile {
		t.Errorf("got %q with %q, want webhook-added-init-container with File", added.Name, added.TerminationMessagePolicy)
	}
}

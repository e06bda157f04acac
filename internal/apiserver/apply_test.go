package apiserver

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestApplyMergesByKey has two managers apply a container each. That they do
// not get into each other's way takes the OpenAPI definitions.
func TestApplyMergesByKey(t *testing.T) {
	t.Parallel()
	client := typed(t, shared).AppsV1().Deployments(own(t))
	apply := func(manager, container, image string) (*appsv1.Deployment, error) {
		patch := []byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{
			"selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},
			"spec":{"containers":[{"name":"` + container + `","image":"` + image + `"}]}}}}`)
		return client.Patch(t.Context(), "a", types.ApplyPatchType, patch, metav1.PatchOptions{FieldManager: manager})
	}
	must[*appsv1.Deployment](t)(apply("first", "a", "a:1"))
	merged := must[*appsv1.Deployment](t)(apply("second", "b", "b:1"))
	var names []string
	for _, container := range merged.Spec.Template.Spec.Containers {
		names = append(names, container.Name)
	}
	if diff := cmp.Diff([]string{"a", "b"}, names); diff != "" {
		t.Errorf("containers (-want, +got):\n%s", diff)
	}
	_, err := apply("second", "a", "a:2")
	wantReason(t, err, metav1.StatusReasonConflict)
}

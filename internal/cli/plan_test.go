package cli

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testtable"
)

// TestNamespaceOfARequest plans the creation and the deletion of objects.
func TestNamespaceOfARequest(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		resource   schema.GroupVersionResource
		namespaced bool
		want       string
	}
	testtable.Run(t, []test{
		{row{"namespace", "S-365: a namespace is in itself, so that its own labels are matched"}, schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}, false, "shop"},
		{row{"namespaces of another group", "S-365: only the core group's are namespaces"}, schema.GroupVersionResource{Group: "toys.example.com", Version: "v1", Resource: "namespaces"}, false, ""},
		{row{"cluster-scoped", "others are in none"}, schema.GroupVersionResource{Version: "v1", Resource: "nodes"}, false, ""},
		{row{"namespaced", "the rest is in the one that was asked for"}, schema.GroupVersionResource{Version: "v1", Resource: "pods"}, true, "default"},
	}, func(t *testing.T, tc test) {
		for _, operation := range []string{"CREATE", "DELETE"} {
			object := &unstructured.Unstructured{Object: map[string]any{}}
			object.SetName("shop")
			o := &options{operation: operation, namespace: "default", user: "ann"}
			r, err := o.request(input{
				Document: &manifest.Document{}, object: object, resource: tc.resource, namespaced: tc.namespaced,
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.Namespace != tc.want {
				t.Errorf("%s: namespace %q, want %q: %s", operation, r.Namespace, tc.want, tc.Why())
			}
		}
	})
}

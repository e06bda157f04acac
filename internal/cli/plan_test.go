package cli

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
)

// TestNamespaceOfARequest plans the creation and the deletion of objects.
func TestNamespaceOfARequest(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, row := range []struct {
		name, why  string
		resource   schema.GroupVersionResource
		namespaced bool
		want       string
	}{
		{"namespace", "S-365: a namespace is in itself, so that its own labels are matched", schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}, false, "shop"},
		{"namespaces of another group", "S-365: only the core group's are namespaces", schema.GroupVersionResource{Group: "toys.example.com", Version: "v1", Resource: "namespaces"}, false, ""},
		{"cluster-scoped", "others are in none", schema.GroupVersionResource{Version: "v1", Resource: "nodes"}, false, ""},
		{"namespaced", "the rest is in the one that was asked for", schema.GroupVersionResource{Version: "v1", Resource: "pods"}, true, "default"},
	} {
		if row.why == "" || names[row.name] {
			t.Fatalf("row %q: every row needs a unique name and a reason", row.name)
		}
		names[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, operation := range []string{"CREATE", "DELETE"} {
				object := &unstructured.Unstructured{Object: map[string]any{}}
				object.SetName("shop")
				o := &options{operation: operation, namespace: "default", user: "ann"}
				r, err := o.request(input{
					Document: &manifest.Document{}, object: object, resource: row.resource, namespaced: row.namespaced,
				})
				if err != nil {
					t.Fatal(err)
				}
				if r.Namespace != row.want {
					t.Errorf("%s: namespace %q, want %q: %s", operation, r.Namespace, row.want, row.why)
				}
			}
		})
	}
}

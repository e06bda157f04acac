package merge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// TestTypesOnUse: the schemas of built-in kinds, which take long to make, are made when
// they are used.
func TestTypesOnUse(t *testing.T) {
	t.Parallel()
	m := merger(t, false)
	made, builtin := false, m.builtin
	m.builtin = func() managedfields.TypeConverter {
		made = true
		return builtin()
	}
	types := m.Types(corev1.SchemeGroupVersion.WithKind("ConfigMap"))
	if made {
		t.Error("the schemas are made, and nothing used them")
	}
	object := &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string]string{"color": "red"},
	}
	value, err := types.ObjectToTyped(object)
	if err != nil {
		t.Fatal(err)
	}
	got, err := types.TypedToObject(value)
	if err != nil {
		t.Fatal(err)
	}
	data, _, _ := unstructured.NestedStringMap(got.(*unstructured.Unstructured).Object, "data")
	if diff := cmp.Diff(object.Data, data); diff != "" || !made {
		t.Errorf("the schemas are made: %t; data (-want +got):\n%s", made, diff)
	}
}

// TestTypesWithoutSchema deduces the schema of a kind from the object.
func TestTypesWithoutSchema(t *testing.T) {
	t.Parallel()
	widget := config(t, "{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {size: 1}}")
	value, err := merger(t, false).Types(widget.GroupVersionKind()).ObjectToTyped(widget)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(any(widget.Object), value.AsValue().Unstructured()); diff != "" {
		t.Errorf("the object changed (-want +got):\n%s", diff)
	}
}

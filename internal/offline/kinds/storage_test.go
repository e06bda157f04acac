package kinds_test

import (
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestPrepare looks at which objects are validated: internal/apiserver compares
// how with an API server.
func TestPrepare(t *testing.T) {
	t.Parallel()
	nameless := func(name string, kind runtime.Object) runtime.Object {
		kind.GetObjectKind().SetGroupVersionKind(gvk(name))
		return kind
	}
	const required = "metadata.name: Required value: name or generateName is required"
	type test struct {
		row
		resource, subresource string
		object                runtime.Object
		want                  string
	}
	testtable.Run(t, []test{
		{row{"built in", "all objects need a name"}, "pods", "", nameless("v1 Pod", &corev1.Pod{}), `Pod "" is invalid: [` + required + ", metadata.namespace: Required value]"},
		{row{"subresource", "its body is not stored"}, "pods", "eviction", nameless("v1 Pod", &corev1.Pod{}), ""},
		{row{"binding", "it is not stored"}, "bindings", "", nameless("v1 Binding", &corev1.Binding{}), ""},
		{row{"unknown kind", "nothing is known of it"}, "phones", "", nameless("example.com/v1 Phone", &corev1.Pod{}), ""},
		{row{"other namespace", "the path has it"}, "pods", "", nameless("v1 Pod", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "other"}}),
			"the namespace of the provided object does not match the namespace sent on the request"},
		{row{"custom", "the same"}, "widgets", "", custom("example.com/v1 Widget"), `Widget.example.com "" is invalid: [` + required + ", metadata.namespace: Required value]"},
		{row{"scale of a custom object", "it is not the object that is stored"}, "widgets", "scale", custom("example.com/v1 Widget"), ""},
	}, func(t *testing.T, tc test) {
		kind := tc.object.GetObjectKind().GroupVersionKind()
		r := &admission.Request{Operation: admissionv1.Create, Kind: kind, Namespace: "shop", Subresource: tc.subresource,
			Resource: kind.GroupVersion().WithResource(tc.resource), Object: tc.object}
		err := taught(t).ObjectInterfaces().(simulate.Storage).Prepare(t.Context(), r, tc.object, nil)
		if got := testtable.Text(err); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	})
}

// TestPanicIsContained: a Go program may have put a value into an object that
// JSON does not have.
func TestPanicIsContained(t *testing.T) {
	t.Parallel()
	old, object := custom("example.com/v1 Widget"), custom("example.com/v1 Widget")
	old.Object["status"] = map[string]any{"size": 7}
	r := &admission.Request{Operation: admissionv1.Update, Kind: gvk("example.com/v1 Widget"),
		Resource: schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}}
	if err := taught(t).ObjectInterfaces().(simulate.Storage).Prepare(t.Context(), r, object, old); err == nil {
		t.Error("there is no error")
	}
}

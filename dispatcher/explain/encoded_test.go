package explain

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestEncodedFieldsHaveNoWriter: what encoding adds to every pod is no field of
// the user's; what only looks like it is.
func TestEncodedFieldsHaveNoWriter(t *testing.T) {
	t.Parallel()
	const sent = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{` +
		`"containers":[{"name":"a","resources":{},"securityContext":{}}],"volumes":[{"name":"v","emptyDir":{}}]},"status":{}}`
	type test struct {
		row
		like runtime.Object
		want []string
	}
	written := []string{"apiVersion", "kind", "metadata.name", "spec.containers[0].name", "spec.containers[0].securityContext",
		"spec.volumes[0].emptyDir", "spec.volumes[0].name"}
	all := append(append([]string{}, written[:4]...), "spec.containers[0].resources", "spec.containers[0].securityContext",
		"spec.volumes[0].emptyDir", "spec.volumes[0].name", "status")
	testtable.Run(t, []test{
		{row{"typed", "resources and status are structs, the others pointers"}, &corev1.Pod{}, written},
		{row{"without a type", "nothing is added to it"}, &unstructured.Unstructured{}, all},
		{row{"unknown", "nothing is known of the encoder"}, nil, all},
	}, func(t *testing.T, tc test) {
		e := &Explanation{Object: json.RawMessage(sent)}
		Complete(e, []State{{Object: json.RawMessage(sent), By: Writer{By: ByUser}}}, encodedAs(tc.like))
		if diff := cmp.Diff(tc.want, contentsOf(e).Paths); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestOverwrittenFieldsStay: a field that had a value was written.
func TestOverwrittenFieldsStay(t *testing.T) {
	t.Parallel()
	before := json.RawMessage(`{"spec":{"containers":[{"name":"a","resources":null}]}}`)
	after := json.RawMessage(`{"spec":{"containers":[{"name":"a","resources":{}}]}}`)
	e := &Explanation{Object: after}
	Complete(e, []State{{Object: before, By: Writer{By: ByUser}}, {Object: after, By: Writer{By: ByWebhook}}}, encodedAs(&corev1.Pod{}))
	want := []string{"spec.containers[0].name", "spec.containers[0].resources"}
	if diff := cmp.Diff(want, contentsOf(e).Paths); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

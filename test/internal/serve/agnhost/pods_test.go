package agnhost_test

import (
	"net/http"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/serve/agnhost"
)

const pods = `"resource":{"group":"","version":"v1","resource":"pods"},`

func TestJudgePod(t *testing.T) {
	t.Parallel()
	const path = "/pods"
	ask(t, []asked{
		{row{"both complaints", "A-04: the label comes first, and the last blank is cut"}, path,
			pods + `"object":{"metadata":{"labels":{"webhook-e2e-test":"webhook-disallow"}},"spec":{"containers":[{"name":"webhook-disallow"}]}}`,
			denied("the pod contains unwanted label; the pod contains unwanted container name;")},
		{row{"label", "A-04"}, path, pods + `"object":{"metadata":{"labels":{"webhook-e2e-test":"webhook-disallow"}}}`, denied("the pod contains unwanted label;")},
		{row{"second container", "A-04: a part of the name is enough"}, path, pods + `"object":{"spec":{"containers":[{"name":"a"},{"name":"my-webhook-disallow-1"}]}}`,
			denied("the pod contains unwanted container name;")},
		{row{"two containers", "A-04: the message appears once"}, path, pods + `"object":{"spec":{"containers":[{"name":"webhook-disallow-1"},{"name":"webhook-disallow-2"}]}}`,
			denied("the pod contains unwanted container name;")},
		{row{"innocent", "A-04"}, path, pods + `"object":{"spec":{"containers":[{"name":"a"}]}}`, allowed()},
		{row{"another resource", "A-04: it knows pods"}, path, maps + `"object":{}`, denied("expect resource to be { v1 pods}")},
		{row{"unreadable", "A-13: errors are denials"}, path, pods + `"object":""`, denied("json: cannot unmarshal string into Go value of type v1.Pod")},
	})
}

func TestJudgeAttach(t *testing.T) {
	t.Parallel()
	const (
		path    = "/pods/attach"
		guarded = pods + `"name":"to-be-attached-pod","subResource":"attach",`
	)
	ask(t, []asked{
		{row{"attach", "A-05"}, path, guarded + `"object":{"stdin":true,"container":"container1"}`, denied("attaching to pod 'to-be-attached-pod' is not allowed")},
		{row{"without stdin", "A-05: attaching without stdin is allowed"}, path, guarded + `"object":{"container":"container1"}`, allowed()},
		{row{"another container", "A-05"}, path, guarded + `"object":{"stdin":true,"container":"container2"}`, allowed()},
		{row{"another pod", "A-05: its resource is not even looked at"}, path, maps + `"name":"a"`, allowed()},
		{row{"another resource", "A-05"}, path, maps + `"name":"to-be-attached-pod","subResource":"attach","object":{}`, denied("expect resource to be { v1 pods}")},
		{row{"another subresource", "A-05"}, path, pods + `"name":"to-be-attached-pod","subResource":"exec","object":{}`, denied("expect subresource to be attach")},
		{row{"no options", "A-13: errors are denials"}, path, guarded + `"operation":"CONNECT"`, denied("unexpected end of JSON input")},
	})
}

func TestAddInitContainer(t *testing.T) {
	t.Parallel()
	const path = "/mutating-pods"
	want := patched(`[{"op":"add","path":"/spec/initContainers","value":[{"image":"webhook-added-image","name":"webhook-added-init-container","resources":{}}]}]`)
	ask(t, []asked{
		{row{"none", "A-06"}, path, pods + `"object":{"metadata":{"name":"webhook-to-be-mutated"}}`, want},
		{row{"others", "A-06: they are replaced"}, path, pods + `"object":{"metadata":{"name":"webhook-to-be-mutated"},"spec":{"initContainers":[{"name":"a"}]}}`, want},
		{row{"there already", "A-06: it may be asked again"}, path,
			pods + `"object":{"metadata":{"name":"webhook-to-be-mutated"},"spec":{"initContainers":[{"name":"webhook-added-init-container"}]}}`, allowed()},
		{row{"another pod", "A-06"}, path, pods + `"object":{"metadata":{"name":"a"}}`, allowed()},
		{row{"another resource", "A-06: it knows pods"}, path, maps + `"object":{}`, denied("expect resource to be { v1 pods}")},
	})
}

func TestAddSidecar(t *testing.T) {
	t.Parallel()
	const path = "/mutating-pods-sidecar"
	ask(t, []asked{
		{row{"none", "A-07"}, path, pods + `"object":{"spec":{"containers":[{"name":"a"}]}}`,
			patched(`[{"op":"add","path":"/spec/containers/-","value":{"image":"sidecar-image","name":"webhook-added-sidecar","resources":{}}}]`)},
		{row{"there already", "A-07: it may be asked again"}, path, pods + `"object":{"spec":{"containers":[{"name":"webhook-added-sidecar"}]}}`, allowed()},
		{row{"another resource", "A-07: it knows pods"}, path, maps + `"object":{}`, denied("expect resource to be { v1 pods}")},
	})
}

// TestNoSidecar has no image, which is the server's fault and not the pod's.
func TestNoSidecar(t *testing.T) {
	t.Parallel()
	want := admissionv1.AdmissionResponse{Result: &metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: "No image specified by the sidecar-image parameter",
	}}
	testtable.Run(t, []asked{
		{row{"a pod", "A-07"}, "/mutating-pods-sidecar", pods + `"object":{}`, want},
		{row{"another resource", "A-07: the image is missed first"}, "/mutating-pods-sidecar", maps + `"object":{}`, want},
	}, func(t *testing.T, r asked) {
		converse(t, agnhost.New(""), "admission.k8s.io/v1", r)
		converse(t, agnhost.New(""), "admission.k8s.io/v1beta1", r)
	})
}

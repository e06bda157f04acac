package kinds

import (
	"fmt"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/convert"
)

// body is where a kind goes that is sent to a subresource.
type body struct {
	// resource is empty if many have the subresource.
	resource, subresource string
}

// takers are the subresources that take a kind of their own, of which all are in
// the core group.
func takers() []body {
	return []body{
		{"pods", "binding"}, {"pods", "eviction"}, {"serviceaccounts", "token"},
		{"pods", "exec"}, {"pods", "attach"}, {"pods", "portforward"},
		{"pods", "proxy"}, {"services", "proxy"}, {"nodes", "proxy"},
	}
}

// bodies asks package request what each of them takes. A kind that has several
// versions is taken in all of them: kube-apiserver still takes a v1beta1 Eviction.
func bodies(converter *convert.Converter) map[schema.GroupVersionKind]body {
	all := map[schema.GroupVersionKind]body{}
	add := func(kind schema.GroupVersionKind, b body) {
		all[kind] = b
		for _, sibling := range converter.Siblings(kind) {
			all[sibling] = b
		}
	}
	for _, b := range takers() {
		at := request.Endpoint{Resource: corev1.SchemeGroupVersion.WithResource(b.resource), Subresource: b.subresource}
		if _, kind, ok := at.Takes(); ok {
			add(kind, b)
		}
	}
	add(autoscalingv1.SchemeGroupVersion.WithKind("Scale"), body{subresource: "scale"})
	return all
}

// Body returns the subresource that objects of a kind are sent to, such as eviction
// of pods. resource is in the form that Resource reads. It is empty for a Scale,
// which many resources have. A Binding has a resource of its own besides, which
// Lookup returns.
func (r *Registry) Body(kind schema.GroupVersionKind) (resource, subresource string, ok bool) {
	b, ok := r.bodies[kind]
	return b.resource, b.subresource, ok
}

// purpose says what a body is for. What connects to something is the query of a
// request, and not a body.
func (b body) purpose(kind schema.GroupVersionKind) string {
	switch {
	case b.resource == "":
		return fmt.Sprintf("it is the body of requests to %s subresources, such as deployments/%[1]s", b.subresource)
	case strings.HasSuffix(kind.Kind, "Options"):
		return fmt.Sprintf("it holds the options of requests to %s/%s", b.resource, b.subresource)
	default:
		return fmt.Sprintf("it is the body of requests to %s/%s", b.resource, b.subresource)
	}
}

package kinds

import (
	"fmt"
	"strings"

	appsv1beta1 "k8s.io/api/apps/v1beta1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/offline/convert"
)

// body is where a kind goes that is sent to a subresource.
type body struct {
	// resource is empty if many have the subresource.
	resource, subresource string
}

// taker is a subresource that takes a kind of its own.
type taker struct {
	at schema.GroupVersionResource
	body
}

// takers are those that do not take a Scale. All of today are in the core group.
func takers() []taker {
	var all []taker
	for _, b := range []body{
		{"pods", "binding"}, {"pods", "eviction"}, {"serviceaccounts", "token"},
		{"pods", "exec"}, {"pods", "attach"}, {"pods", "portforward"},
		{"pods", "proxy"}, {"services", "proxy"}, {"nodes", "proxy"},
	} {
		all = append(all, taker{corev1.SchemeGroupVersion.WithResource(b.resource), b})
	}
	for _, gv := range []schema.GroupVersion{appsv1beta1.SchemeGroupVersion, extensionsv1beta1.SchemeGroupVersion} {
		at := gv.WithResource("deployments")
		all = append(all, taker{at, body{at.Resource + "." + at.Version + "." + at.Group, "rollback"}})
	}
	return all
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
	for _, t := range takers() {
		at := request.Endpoint{Resource: t.at, Subresource: t.subresource}
		if _, kind, ok := at.Takes(); ok {
			add(kind, t.body)
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

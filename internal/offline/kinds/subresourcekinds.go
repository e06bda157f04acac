package kinds

import (
	"fmt"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/offline/convert"
)

// body names the subresource that a kind is sent to.
type body struct {
	// resource is empty if many resources have the subresource.
	resource, subresource string
}

// bodies returns the kinds that are sent to subresources. kube-apiserver
// accepts a body in all its versions: an Eviction in policy/v1beta1 as well.
func bodies() map[schema.GroupVersionKind]body {
	all := map[schema.GroupVersionKind]body{
		autoscalingv1.SchemeGroupVersion.WithKind("Scale"): {subresource: "scale"},
	}
	for _, b := range []body{
		{"pods", "binding"}, {"pods", "eviction"}, {"serviceaccounts", "token"},
		{"pods", "exec"}, {"pods", "attach"}, {"pods", "portforward"},
		{"pods", "proxy"}, {"services", "proxy"}, {"nodes", "proxy"},
	} {
		at := request.Endpoint{Resource: corev1.SchemeGroupVersion.WithResource(b.resource),
			Subresource: b.subresource}
		_, kind, _ := at.Takes()
		all[kind] = b
		for _, version := range convert.Versions(kind) {
			all[version] = b
		}
	}
	return all
}

// Body returns the subresource that takes a kind, such as pods and eviction.
// resource is empty for a Scale, which many resources take. A Binding also has
// a resource, which Lookup returns.
func (r *Registry) Body(kind schema.GroupVersionKind) (resource, subresource string, ok bool) {
	b, ok := r.bodies[kind]
	return b.resource, b.subresource, ok
}

// purpose describes the requests that have the body. The options of a
// connection are the query of a request, not its body.
func (b body) purpose(kind schema.GroupVersionKind) string {
	switch {
	case b.resource == "":
		return fmt.Sprintf(
			"it is the body of requests to %s subresources, such as deployments/%[1]s", b.subresource)
	case strings.HasSuffix(kind.Kind, "Options"):
		return fmt.Sprintf("it holds the options of requests to %s/%s", b.resource, b.subresource)
	default:
		return fmt.Sprintf("it is the body of requests to %s/%s", b.resource, b.subresource)
	}
}

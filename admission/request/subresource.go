package request

import (
	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// subresource is what can be asked of a subresource, and with which body.
type subresource struct {
	operation admissionv1.Operation
	kind      schema.GroupVersionKind
}

// Takes returns the operation of an endpoint with a subresource, and the kind
// of the body: CONNECT and PodExecOptions for pods/exec. ok is false for
// subresources that do not exist, and for endpoints without one, which take any
// operation. Takes does not know whether a resource has a status or a scale,
// and assumes both.
func (at Endpoint) Takes() (
	operation admissionv1.Operation, kind schema.GroupVersionKind, ok bool,
) {
	s, ok := at.subresource()
	return s.operation, s.kind, ok
}

// subresource returns the endpoint's, which must have one, and whether it is
// known. Those that can only be read, such as pods/log, are not: no webhook
// hears of them.
func (at *Endpoint) subresource() (subresource, bool) {
	core := corev1.SchemeGroupVersion
	switch at.path() {
	case "pods/ephemeralcontainers", "pods/resize", "namespaces/finalize",
		"certificatesigningrequests.certificates.k8s.io/approval":
		return subresource{admissionv1.Update, at.Kind}, true
	case "pods/binding":
		return subresource{admissionv1.Create, core.WithKind("Binding")}, true
	case "pods/eviction":
		return subresource{admissionv1.Create, policyv1.SchemeGroupVersion.WithKind("Eviction")}, true
	case "serviceaccounts/token":
		return subresource{
			admissionv1.Create,
			authenticationv1.SchemeGroupVersion.WithKind("TokenRequest"),
		}, true
	case "pods/exec":
		return subresource{admissionv1.Connect, core.WithKind("PodExecOptions")}, true
	case "pods/attach":
		return subresource{admissionv1.Connect, core.WithKind("PodAttachOptions")}, true
	case "pods/portforward":
		return subresource{admissionv1.Connect, core.WithKind("PodPortForwardOptions")}, true
	case "pods/proxy":
		return subresource{admissionv1.Connect, core.WithKind("PodProxyOptions")}, true
	case "services/proxy":
		return subresource{admissionv1.Connect, core.WithKind("ServiceProxyOptions")}, true
	case "nodes/proxy":
		return subresource{admissionv1.Connect, core.WithKind("NodeProxyOptions")}, true
	}
	// Any resource may have these two, custom ones included.
	switch at.Subresource {
	case "status":
		return subresource{admissionv1.Update, at.Kind}, true
	case "scale":
		return subresource{admissionv1.Update, autoscalingv1.SchemeGroupVersion.WithKind("Scale")}, true
	}
	return subresource{}, false
}

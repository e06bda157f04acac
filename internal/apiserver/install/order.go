package install

// The kinds that the package handles specially.
const (
	namespaceKind  = "Namespace"
	serviceKind    = "Service"
	endpointsKind  = "Endpoints"
	sliceKind      = "EndpointSlice.discovery.k8s.io"
	definitionKind = "CustomResourceDefinition.apiextensions.k8s.io"
	mutatingKind   = "MutatingWebhookConfiguration.admissionregistration.k8s.io"
	validatingKind = "ValidatingWebhookConfiguration.admissionregistration.k8s.io"

	mutatingPolicyKind    = "MutatingAdmissionPolicy.admissionregistration.k8s.io"
	mutatingBindingKind   = "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io"
	validatingPolicyKind  = "ValidatingAdmissionPolicy.admissionregistration.k8s.io"
	validatingBindingKind = "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io"
)

// kind returns the kind and its group, without a version.
func (o object) kind() string { return o.GroupVersionKind().GroupKind().String() }

// rank returns the position of a kind: namespaces, definitions, services of
// webhooks, what decides about requests, and then the objects that it decides
// about. Unlike kubectl it does not put workloads before webhook
// configurations, because the server runs no pods.
func rank(kind string) int {
	switch kind {
	case namespaceKind:
		return 0
	case definitionKind:
		return 1
	case serviceKind, endpointsKind, sliceKind:
		return 2
	}
	if decides(kind) {
		return 3
	}
	return 4
}

// decides reports whether objects of a kind decide about requests.
func decides(kind string) bool {
	switch kind {
	case mutatingKind, validatingKind, mutatingPolicyKind, mutatingBindingKind,
		validatingPolicyKind, validatingBindingKind:
		return true
	}
	return false
}

func byRank(a, b object) int { return rank(a.kind()) - rank(b.kind()) }

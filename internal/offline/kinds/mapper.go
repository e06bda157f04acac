package kinds

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/request"
)

// newMapper returns an empty registry of equivalent resources (S-120 to S-123):
// the versions of one resource in the order of registration, and the events of
// both groups, which kube-apiserver stores together (S-122).
func newMapper() runtime.EquivalentResourceRegistry {
	return runtime.NewEquivalentResourceRegistryWithIdentity(
		func(resource schema.GroupResource) string {
			return canonical(resource).String()
		})
}

// mapped returns the subresources of the mapper; "" is the resource itself.
func mapped() []string { return []string{"", "status", "scale"} }

// kindAt returns the kind that a subresource of a resource takes (S-123).
func kindAt(
	at schema.GroupVersionResource, own schema.GroupVersionKind, subresource string,
) schema.GroupVersionKind {
	endpoint := request.Endpoint{Resource: at, Kind: own, Subresource: subresource}
	if _, kind, ok := endpoint.Takes(); ok {
		return kind
	}
	return own
}

package collector

import (
	"context"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"
)

// key is what the phases of a request have in common.
type key struct {
	// attributes is nil if their type is no pointer.
	attributes apiadmission.Attributes
	// info is nil if the context has none. It is the same for all requests that
	// an HTTP request makes, such as the deletions of a collection.
	info        *endpointsrequest.RequestInfo
	operation   apiadmission.Operation
	resource    schema.GroupVersionResource
	subresource string
	namespace   string
}

func newKey(ctx context.Context, a apiadmission.Attributes) key {
	k := key{operation: a.GetOperation(), resource: a.GetResource(), subresource: a.GetSubresource(),
		namespace: a.GetNamespace()}
	k.info, _ = endpointsrequest.RequestInfoFrom(ctx)
	if reflect.TypeOf(a).Kind() == reflect.Pointer {
		k.attributes = a
	}
	return k
}

func (k key) sameAttributes(other key) bool {
	return k.attributes != nil && k.attributes == other.attributes
}

// sameRequest reports whether the keys are those of one request whose phases
// have different attributes. Those of a deletion have the same.
func (k key) sameRequest(other key) bool {
	other.attributes = k.attributes
	return k.info != nil && k.operation != apiadmission.Delete && k == other
}

package strategy

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// Prepare resets what the endpoint does not store. old is nil for a new object.
//
// Compat: without a status subresource nothing is reset. metadata.generation is
// left to the caller.
func (c *Custom) Prepare(object, old *unstructured.Unstructured, subresource string) {
	switch {
	case !c.version(object).status:
	case old == nil:
		delete(object.Object, "status")
	case subresource == "status":
		status, managed := object.Object["status"], object.GetManagedFields()
		_, has := object.Object["status"]
		object.Object = runtime.DeepCopyJSON(old.Object)
		object.SetManagedFields(managed)
		setStatus(object, status, has)
	default:
		status, has := old.Object["status"]
		setStatus(object, runtime.DeepCopyJSONValue(status), has)
	}
}

func setStatus(object *unstructured.Unstructured, status any, has bool) {
	if has {
		object.Object["status"] = status
	} else {
		delete(object.Object, "status")
	}
}

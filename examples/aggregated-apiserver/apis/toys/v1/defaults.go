package v1

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
)

// addDefaults has the scheme default whatever is decoded in this version, which
// includes what is left of a request when a webhook has patched it.
func addDefaults(scheme *runtime.Scheme) {
	scheme.AddTypeDefaultingFunc(&Robot{}, func(obj any) { setDefaults(obj.(*Robot)) })
	scheme.AddTypeDefaultingFunc(&RobotList{}, func(obj any) {
		list := obj.(*RobotList)
		for i := range list.Items {
			setDefaults(&list.Items[i])
		}
	})
}

func setDefaults(r *Robot) {
	if r.Spec.Replicas == nil {
		r.Spec.Replicas = ptr.To[int32](1)
	}
	for i := range r.Spec.Parts {
		if r.Spec.Parts[i].Quantity == nil {
			r.Spec.Parts[i].Quantity = ptr.To[int32](1)
		}
	}
}

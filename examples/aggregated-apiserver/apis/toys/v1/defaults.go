package v1

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
)

// addDefaults makes the scheme default every decoded object of this version,
// including objects that a webhook has patched.
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

package v1alpha1

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
	if r.Spec.Count == nil {
		r.Spec.Count = ptr.To[int32](1)
	}
	for i := range r.Spec.Pieces {
		if r.Spec.Pieces[i].Count == nil {
			r.Spec.Pieces[i].Count = ptr.To[int32](1)
		}
	}
}

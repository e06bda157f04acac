package v1

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
)

// DeepCopy returns a deep copy.
func (in *Robot) DeepCopy() *Robot {
	out := *in
	out.ObjectMeta = *in.ObjectMeta.DeepCopy()
	out.Spec.Replicas = clone(in.Spec.Replicas)
	out.Spec.Parts = toys.ConvertAll(in.Spec.Parts, func(from, to *Part) {
		*to = Part{Name: from.Name, Quantity: clone(from.Quantity)}
	})
	return &out
}

// DeepCopyObject implements runtime.Object.
func (in *Robot) DeepCopyObject() runtime.Object { return in.DeepCopy() }

// DeepCopyObject implements runtime.Object.
func (in *RobotList) DeepCopyObject() runtime.Object {
	out := *in
	out.ListMeta = *in.ListMeta.DeepCopy()
	out.Items = toys.ConvertAll(in.Items, func(from, to *Robot) { *to = *from.DeepCopy() })
	return &out
}

func clone(in *int32) *int32 {
	if in == nil {
		return nil
	}
	return ptr.To(*in)
}

package toys

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

// DeepCopy returns a deep copy.
func (in *Robot) DeepCopy() *Robot {
	out := *in
	out.ObjectMeta = *in.ObjectMeta.DeepCopy()
	out.Spec.Parts = slices.Clone(in.Spec.Parts)
	return &out
}

// DeepCopyObject implements runtime.Object.
func (in *Robot) DeepCopyObject() runtime.Object { return in.DeepCopy() }

// DeepCopyObject implements runtime.Object.
func (in *RobotList) DeepCopyObject() runtime.Object {
	out := *in
	out.ListMeta = *in.ListMeta.DeepCopy()
	out.Items = ConvertAll(in.Items, func(from, to *Robot) { *to = *from.DeepCopy() })
	return &out
}

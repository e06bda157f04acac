package requests

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// written returns Made.Written. Callers compare it with the object field by
// field, so both must have the same kind.
func written(r *admission.Request, written runtime.Object) runtime.Object {
	if r.Object == nil || written == nil {
		return nil
	}
	if kind := written.GetObjectKind().GroupVersionKind(); !kind.Empty() && kind != r.Kind {
		return nil
	}
	written = written.DeepCopyObject()
	written.GetObjectKind().SetGroupVersionKind(r.Kind)
	of, err := meta.Accessor(r.Object)
	if to, toErr := meta.Accessor(written); err == nil && toErr == nil {
		to.SetNamespace(of.GetNamespace())
	}
	return written
}

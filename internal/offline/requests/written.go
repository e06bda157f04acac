package requests

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// remember keeps the object that Written returns for a request. Callers compare
// the two field by field, so both must have the same kind.
func (m *Maker) remember(r *admission.Request, written runtime.Object) {
	if r.Object == nil || written == nil {
		return
	}
	if kind := written.GetObjectKind().GroupVersionKind(); !kind.Empty() && kind != r.Kind {
		return
	}
	written = written.DeepCopyObject()
	written.GetObjectKind().SetGroupVersionKind(r.Kind)
	of, err := meta.Accessor(r.Object)
	if to, toErr := meta.Accessor(written); err == nil && toErr == nil {
		to.SetNamespace(of.GetNamespace())
	}
	m.written[r] = written
}

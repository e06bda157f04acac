package requests

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// remember keeps what Written returns for a request. The two objects are told apart
// field by field, so they have to be of one kind.
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

package merge

import (
	"fmt"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// Merger patches and applies. New makes one.
type Merger struct {
	objects apiadmission.ObjectInterfaces
	// builtin is made when it is first asked for, because that takes a fifth of
	// a second, and most patches do not need it.
	builtin func() managedfields.TypeConverter
	custom  map[schema.GroupKind]managedfields.TypeConverter
}

// New returns a Merger of objects that the interfaces make, recognise, convert
// and default. The definitions, which need not be defaulted and are not kept, are
// those of the custom kinds that are to be applied by their schemas.
//
// The error names a definition whose schema makes no sense.
func New(objects apiadmission.ObjectInterfaces, definitions ...*apiextensionsv1.CustomResourceDefinition) (*Merger, error) {
	m := &Merger{
		objects: objects,
		builtin: sync.OnceValue(builtinTypes),
		custom:  map[schema.GroupKind]managedfields.TypeConverter{},
	}
	for _, d := range definitions {
		converter, err := customTypes(d)
		if err != nil {
			return nil, fmt.Errorf("schema of CustomResourceDefinition %q: %w", d.Name, err)
		}
		m.custom[schema.GroupKind{Group: d.Spec.Group, Kind: d.Spec.Names.Kind}] = converter
	}
	return m, nil
}

// Patch returns what a patch makes of a stored object, which is not modified. The
// result is of the same kind and Go type. It belongs to the caller.
//
// The manager is the request's fieldManager. It matters only if the object has
// managedFields; "" is the manager "unknown" there.
//
// A type of patch that the kind does not take, such as a strategic one for a
// custom kind, is an error with the code 415.
func (m *Merger) Patch(old runtime.Object, patch []byte, t types.PatchType, manager string) (patched runtime.Object, err error) {
	defer contain(&patched, &err)
	stored, err := m.copyOf(old)
	if err != nil {
		return nil, err
	}
	switch t {
	case types.JSONPatchType, types.MergePatchType:
		patched, err = m.textual(stored, patch, t)
	case types.StrategicMergePatchType:
		patched, err = m.strategic(stored, patch)
	default:
		err = unsupported(isCustom(old))
	}
	if err != nil {
		return nil, err
	}
	if err := m.track(stored, patched, manager); err != nil {
		return nil, err
	}
	return patched, checkIdentity(patched, stored)
}

// copyOf returns a copy that says of which kind it is, as typed objects often do
// not.
func (m *Merger) copyOf(old runtime.Object) (runtime.Object, error) {
	kinds, _, err := m.objects.GetObjectTyper().ObjectKinds(old)
	if err != nil {
		return nil, fmt.Errorf("stored object: %w", err)
	}
	if _, err := meta.Accessor(old); err != nil {
		return nil, fmt.Errorf("stored object: %w", err)
	}
	stored := old.DeepCopyObject()
	stored.GetObjectKind().SetGroupVersionKind(kinds[0])
	return stored, nil
}

// contain makes a panic an error like any other. Some well-formed patches make the
// libraries panic.
func contain(object *runtime.Object, err *error) {
	if r := recover(); r != nil {
		*err = apierrors.NewInternalError(fmt.Errorf("patch cannot be applied: %v", r))
	}
	if *err != nil {
		*object = nil
	}
}

package merge

import (
	"fmt"
	"slices"
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

// Merger patches and applies. New creates it.
type Merger struct {
	objects apiadmission.ObjectInterfaces
	// builtin is created on first use: that takes a fifth of a second, and most
	// patches do not need it.
	builtin func() managedfields.TypeConverter
	schemas map[schema.GroupKind]managedfields.TypeConverter
}

// New returns a Merger of the objects of the interfaces. The definitions have
// the schemas of custom kinds for Apply; they need not be defaulted and are not
// kept. The error names a definition with an invalid schema.
func New(
	objects apiadmission.ObjectInterfaces, definitions ...*apiextensionsv1.CustomResourceDefinition,
) (*Merger, error) {
	m := &Merger{
		objects: objects,
		builtin: sync.OnceValue(builtinTypes),
		schemas: map[schema.GroupKind]managedfields.TypeConverter{},
	}
	for _, d := range definitions {
		converter, err := customTypes(d)
		if err != nil {
			return nil, fmt.Errorf("schema of CustomResourceDefinition %q: %w", d.Name, err)
		}
		m.schemas[schema.GroupKind{Group: d.Spec.Group, Kind: d.Spec.Names.Kind}] = converter
	}
	return m, nil
}

// Patch returns the result of a patch on a stored object, which is not
// modified. The result has the same kind and Go type and belongs to the caller.
//
// A type of patch that the endpoint does not take, such as a strategic one for
// a custom resource or its scale, is an error with the code 415. An empty patch
// and null are errors.
func (m *Merger) Patch(
	old runtime.Object, patch []byte, t types.PatchType, o Options,
) (patched runtime.Object, err error) {
	defer contain(&patched, &err)
	stored, err := m.copyOf(old)
	if err != nil {
		return nil, err
	}
	custom := isCustom(old) || m.custom(o)
	switch {
	case !slices.Contains(accepted(custom), string(t)), t == types.ApplyYAMLPatchType:
		err = unsupported(custom)
	case t == types.StrategicMergePatchType:
		patched, err = m.strategic(stored, patch)
	default:
		patched, err = m.textual(stored, patch, t)
	}
	if err != nil {
		return nil, err
	}
	if err := m.track(stored, patched, o); err != nil {
		return nil, err
	}
	return patched, checkIdentity(patched, stored)
}

// copyOf returns a copy with apiVersion and kind, which typed objects often
// lack.
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

// contain turns a panic into an error. Some well-formed patches make the
// libraries panic.
func contain(object *runtime.Object, err *error) {
	if r := recover(); r != nil {
		*err = apierrors.NewInternalError(fmt.Errorf("patch cannot be applied: %s", panicked(r)))
	}
	if *err != nil {
		*object = nil
	}
}

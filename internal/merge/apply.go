package merge

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Apply returns what server-side apply of a configuration makes of a stored object,
// or what it creates if that is nil. Neither is modified. The result belongs to the
// caller and has the kind and Go type of the stored object; what is created is
// typed if its kind is built in, and otherwise unstructured.
//
// The manager is the request's fieldManager, and required. It comes to own the
// fields of the configuration, and loses those that it owned and does not give any
// more, which are removed unless others own them too. If other managers own fields
// that get another value, the error is a conflict that names them, unless force
// says to take the fields over. What nobody is known to own, because the stored
// object has no managedFields, is owned by "before-first-apply".
//
// The configuration has to be of the stored object's version, kind and name, and
// must not have managedFields. As a server does, an empty namespace is filled in.
func (m *Merger) Apply(old runtime.Object, config *unstructured.Unstructured, manager string, force bool) (applied runtime.Object, err error) {
	defer contain(&applied, &err)
	if err := checkOptions(manager, force); err != nil {
		return nil, err
	}
	sent, err := asSent(config)
	if err != nil {
		return nil, err
	}
	live, err := m.live(old, sent.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	fields, err := m.fieldManager(live)
	if err != nil {
		return nil, err
	}
	applied, err = fields.Apply(live, sent, manager, force)
	if err != nil {
		return nil, err
	}
	applied.GetObjectKind().SetGroupVersionKind(live.GetObjectKind().GroupVersionKind())
	if old == nil {
		return applied, checkCreated(applied)
	}
	return applied, checkIdentity(applied, live)
}

// checkOptions checks what a server takes from the URL.
func checkOptions(manager string, force bool) error {
	options := &metav1.PatchOptions{FieldManager: manager, Force: &force}
	if errs := validation.ValidatePatchOptions(options, types.ApplyYAMLPatchType); len(errs) > 0 {
		return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: "PatchOptions"}, "", errs)
	}
	return nil
}

// asSent returns a copy of a configuration as a server reads it from a request,
// whatever Go types its values have.
func asSent(config *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	body, err := config.MarshalJSON()
	if err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error encoding patch: %v", err))
	}
	if err := checkSize(len(body)); err != nil {
		return nil, err
	}
	sent := &unstructured.Unstructured{}
	if err := sent.UnmarshalJSON(body); err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	return sent, nil
}

// live returns a copy of the stored object, or an object of a kind that has nothing
// yet.
func (m *Merger) live(old runtime.Object, kind schema.GroupVersionKind) (runtime.Object, error) {
	if old != nil {
		return m.copyOf(old)
	}
	created, err := m.objects.GetObjectCreater().New(kind)
	if err != nil {
		return nil, fmt.Errorf("failed to create new object: %w", err)
	}
	created.GetObjectKind().SetGroupVersionKind(kind)
	return created, nil
}

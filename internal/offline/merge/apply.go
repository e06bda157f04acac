package merge

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Apply returns the result of server-side apply of a configuration to a stored
// object, or the created object if old is nil. Neither argument is modified.
// The result belongs to the caller and has the kind and Go type of the stored
// object; a created object is typed if its kind is built in, and otherwise
// unstructured.
//
// Options.Manager is required. It becomes the owner of the fields of the
// configuration. Fields that it owned and that the configuration lacks are
// removed unless another manager owns them too. If other managers own fields
// that change, the error is a conflict that names them, unless Options.Force is
// set. The owner of a stored object without managedFields is
// "before-first-apply".
//
// The configuration must have the version, kind and name of the stored object,
// and no managedFields. An empty namespace is set. Nothing can be applied to
// the subresource scale.
func (m *Merger) Apply(
	old runtime.Object, config *unstructured.Unstructured, o Options,
) (applied runtime.Object, err error) {
	defer contain(&applied, &err)
	if err := checkOptions(o); err != nil {
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
	fields, err := m.fieldManager(live, o)
	if err != nil {
		return nil, err
	}
	applied, err = fields.Apply(live, sent, o.Manager, o.Force)
	if err != nil {
		return nil, m.applyError(err, live, sent)
	}
	applied.GetObjectKind().SetGroupVersionKind(live.GetObjectKind().GroupVersionKind())
	if old == nil {
		return applied, checkCreated(applied)
	}
	return applied, checkIdentity(applied, live)
}

// checkOptions checks the query of the request. A server can apply to a scale;
// here the owners of the replicas, which the scaled object records, are not
// known.
func checkOptions(o Options) error {
	if o.Endpoint.Subresource == "scale" {
		return errors.New("server-side apply to the subresource scale is not supported: only the object itself records who owns the replicas: apply to the object, or patch the scale")
	}
	options := &metav1.PatchOptions{FieldManager: o.Manager, Force: &o.Force}
	if errs := validation.ValidatePatchOptions(options, types.ApplyYAMLPatchType); len(errs) > 0 {
		return apierrors.NewInvalid(
			schema.GroupKind{Group: metav1.GroupName, Kind: "PatchOptions"}, "", errs)
	}
	return nil
}

// asSent returns a copy of a configuration as a server decodes it.
func asSent(config *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	body, err := config.MarshalJSON()
	if err != nil {
		return nil, apierrors.NewBadRequest("error encoding patch: it has a value that is not valid in JSON")
	}
	if err := checkSize(len(body)); err != nil {
		return nil, err
	}
	sent := &unstructured.Unstructured{}
	if err := sent.UnmarshalJSON(body); runtime.IsMissingKind(err) {
		// The error itself quotes the whole configuration.
		return nil, apierrors.NewBadRequest("error decoding patch: Object 'Kind' is missing")
	} else if err != nil {
		return nil, apierrors.NewBadRequest("error decoding patch: " + reason(err))
	}
	if _, err := schema.ParseGroupVersion(sent.GetAPIVersion()); err != nil {
		return nil, apierrors.NewBadRequest("error decoding patch: apiVersion does not have the form group/version")
	}
	return sent, nil
}

// live returns a copy of the stored object, or an empty object of the kind.
func (m *Merger) live(old runtime.Object, kind schema.GroupVersionKind) (runtime.Object, error) {
	if old != nil {
		return m.copyOf(old)
	}
	if !m.objects.GetObjectTyper().Recognizes(kind) {
		return nil, errors.New("failed to create new object: the configuration has an unknown kind")
	}
	created, err := m.objects.GetObjectCreater().New(kind)
	if err != nil {
		return nil, fmt.Errorf("failed to create new object: %w", err)
	}
	created.GetObjectKind().SetGroupVersionKind(kind)
	return created, nil
}

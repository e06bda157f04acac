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

// Apply returns what server-side apply of a configuration makes of a stored object,
// or what it creates if that is nil. Neither is modified. The result belongs to the
// caller and has the kind and Go type of the stored object; what is created is
// typed if its kind is built in, and otherwise unstructured.
//
// The manager of the options is required. It comes to own the fields of the
// configuration, and loses those that it owned and does not give any more, which are
// removed unless others own them too. If other managers own fields that get another
// value, the error is a conflict that names them, unless the options say to take the
// fields over. What nobody is known to own, because the stored object has no
// managedFields, is owned by "before-first-apply". To the field managers, who applies
// to an object and who applies to its status are two, whatever their names.
//
// The configuration has to be of the stored object's version, kind and name, and
// must not have managedFields. As a server does, an empty namespace is filled in.
// Nothing can be applied to the subresource scale.
func (m *Merger) Apply(old runtime.Object, config *unstructured.Unstructured, o Options) (applied runtime.Object, err error) {
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
		return nil, m.refusal(err, live, sent)
	}
	applied.GetObjectKind().SetGroupVersionKind(live.GetObjectKind().GroupVersionKind())
	if old == nil {
		return applied, checkCreated(applied)
	}
	return applied, checkIdentity(applied, live)
}

// checkOptions checks what a server takes from the URL. It could be applied to a
// scale, but who owns the replicas is recorded in the object that is scaled, and a
// Scale that was made of one does not say.
func checkOptions(o Options) error {
	if o.Endpoint.Subresource == "scale" {
		return errors.New("server-side apply to the subresource scale is not supported: who owns the replicas is known of the object itself only: apply to that, or patch the scale")
	}
	options := &metav1.PatchOptions{FieldManager: o.Manager, Force: &o.Force}
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
		return nil, apierrors.NewBadRequest("error encoding patch: it has a value that JSON does not have")
	}
	if err := checkSize(len(body)); err != nil {
		return nil, err
	}
	sent := &unstructured.Unstructured{}
	if err := sent.UnmarshalJSON(body); runtime.IsMissingKind(err) {
		// Not the error itself: it has the whole configuration.
		return nil, apierrors.NewBadRequest("error decoding patch: Object 'Kind' is missing")
	} else if err != nil {
		return nil, apierrors.NewBadRequest("error decoding patch: " + reason(err))
	}
	if _, err := schema.ParseGroupVersion(sent.GetAPIVersion()); err != nil {
		return nil, apierrors.NewBadRequest("error decoding patch: apiVersion has not the form group/version")
	}
	return sent, nil
}

// live returns a copy of the stored object, or an object of a kind that has nothing
// yet.
func (m *Merger) live(old runtime.Object, kind schema.GroupVersionKind) (runtime.Object, error) {
	if old != nil {
		return m.copyOf(old)
	}
	if !m.objects.GetObjectTyper().Recognizes(kind) {
		return nil, errors.New("failed to create new object: the configuration is of a kind that is not known")
	}
	created, err := m.objects.GetObjectCreater().New(kind)
	if err != nil {
		return nil, fmt.Errorf("failed to create new object: %w", err)
	}
	created.GetObjectKind().SetGroupVersionKind(kind)
	return created, nil
}

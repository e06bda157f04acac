package request

import (
	"bytes"
	"cmp"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
)

// FromReview returns the request of an AdmissionReview in JSON, of v1 or
// v1beta1, as an API server sends it to webhooks and as logs keep it. It
// ignores a response, and unknown fields, which a newer server may have sent.
//
// objects creates and converts the kinds of the request. An object of a kind
// that objects cannot create becomes an *unstructured.Unstructured. If the
// webhook matched another version of the resource, the objects of the review
// are in that version; FromReview converts them to the version of the client's
// request (S-213).
func FromReview(
	review []byte, objects apiadmission.ObjectInterfaces,
) (*admission.Request, error) {
	q, err := reviewed(review)
	if err != nil {
		return nil, fmt.Errorf("reading an AdmissionReview: %w", err)
	}
	d := reviewDecoder{q, objects}
	r, err := d.request()
	if err != nil {
		return nil, fmt.Errorf("making the request of an AdmissionReview: %w", err)
	}
	return r, nil
}

// reviewed returns the request in an AdmissionReview. v1 and v1beta1 have the
// same fields (S-218).
func reviewed(review []byte) (*admissionv1.AdmissionRequest, error) {
	var of admissionv1.AdmissionReview
	if err := json.Unmarshal(review, &of); err != nil {
		return nil, err
	}
	switch of.GroupVersionKind() {
	case admissionv1.SchemeGroupVersion.WithKind("AdmissionReview"),
		admissionv1beta1.SchemeGroupVersion.WithKind("AdmissionReview"):
	default:
		return nil, wrong("kind", "%s of %q is no AdmissionReview of v1 or v1beta1", of.Kind, of.APIVersion)
	}
	if of.Request == nil {
		return nil, wrong("request", "required: an AdmissionReview is read for its request")
	}
	return of.Request, nil
}

// reviewDecoder makes the request of an AdmissionReview.
type reviewDecoder struct {
	*admissionv1.AdmissionRequest
	objects apiadmission.ObjectInterfaces
}

// request returns the request in the version in which the client sent it.
// Servers before v1.15 did not send that version, but called webhooks in no
// other.
func (d *reviewDecoder) request() (*admission.Request, error) {
	kind, resource := &d.Kind, &d.Resource
	if d.RequestKind != nil {
		kind = d.RequestKind
	}
	if d.RequestResource != nil {
		resource = d.RequestResource
	}
	if err := d.checkRequired(kind, resource); err != nil {
		return nil, err
	}
	r := &admission.Request{
		Operation:   d.Operation,
		Kind:        schema.GroupVersionKind(*kind),
		Resource:    schema.GroupVersionResource(*resource),
		Subresource: cmp.Or(d.RequestSubResource, d.SubResource),
		Name:        d.Name,
		Namespace:   d.Namespace,
		DryRun:      d.DryRun != nil && *d.DryRun,
		User:        d.UserInfo.DeepCopy(),
	}
	var err error
	if r.Object, err = d.object("request.object", d.Object.Raw, r); err != nil {
		return nil, err
	}
	if r.OldObject, err = d.object("request.oldObject", d.OldObject.Raw, r); err != nil {
		return nil, err
	}
	if err := d.checkObjects(r); err != nil {
		return nil, err
	}
	r.Options, err = d.options(r.DryRun)
	return r, err
}

// checkRequired returns an error if a field is missing that every server sends.
func (d *reviewDecoder) checkRequired(
	kind *metav1.GroupVersionKind, resource *metav1.GroupVersionResource,
) error {
	switch {
	case kind.Kind == "":
		return wrong("request.kind", "required, with group, version and kind")
	case resource.Resource == "":
		return wrong("request.resource", "required, with group, version and resource")
	case d.UserInfo.Username == "":
		return wrong("request.userInfo.username", "required: every request has a user name")
	}
	switch d.Operation {
	case admissionv1.Connect:
		if d.DryRun != nil && *d.DryRun {
			return wrong("request.dryRun", "is not supported for CONNECT") // S-364
		}
		return nil
	case admissionv1.Create, admissionv1.Update, admissionv1.Delete:
		return nil
	default:
		return wrong("request.operation", "%q is not CREATE, UPDATE, DELETE or CONNECT", d.Operation)
	}
}

// checkObjects returns an error if the objects are not those of the operation
// (S-217).
func (d *reviewDecoder) checkObjects(r *admission.Request) error {
	hasObject := r.Operation != admissionv1.Delete
	hasOld := r.Operation == admissionv1.Update || r.Operation == admissionv1.Delete
	for _, o := range []struct {
		field       string
		wanted, has bool
	}{{"request.object", hasObject, r.Object != nil}, {"request.oldObject", hasOld, r.OldObject != nil}} {
		switch {
		case o.wanted && !o.has:
			return wrong(o.field, "required for %s", r.Operation)
		case !o.wanted && o.has:
			return hasNone(o.field, r.Operation)
		}
	}
	return nil
}

// object returns the object in a field, in the kind of the request; nil if
// there is none.
func (d *reviewDecoder) object(
	field string, raw []byte, r *admission.Request,
) (runtime.Object, error) {
	if isNull(raw) {
		return nil, nil
	}
	seen := schema.GroupVersionKind(d.Kind)
	object, err := d.objects.GetObjectCreater().New(seen)
	if err != nil {
		object = &unstructured.Unstructured{}
	}
	object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	err = json.Unmarshal(raw, object)
	if err != nil || object.GetObjectKind().GroupVersionKind() != seen {
		// Another kind is the reason of an error, and not each type has a kind.
		err = cmp.Or(checkKind(raw, seen), err)
	}
	if err != nil {
		return nil, wrong(field, "%v", err)
	}
	object, err = apiadmission.ConvertToGVK(object, r.Kind, d.objects)
	if err != nil {
		return nil, wrong(field, "%v", err)
	}
	return object, checkMetadata(field, object, r)
}

// checkKind returns an error unless an object is of a kind.
func checkKind(raw []byte, want schema.GroupVersionKind) error {
	var has metav1.TypeMeta
	if err := json.Unmarshal(raw, &has); err != nil {
		return err
	}
	if kind := has.GroupVersionKind(); kind != want {
		return fmt.Errorf("is %s, but request.kind is %s", nameOf(kind), nameOf(want))
	}
	return nil
}

// checkMetadata returns an error for an object with another name or namespace
// than the request. Bodies of subresources that are not updated need none.
func checkMetadata(field string, object runtime.Object, r *admission.Request) error {
	if r.Subresource != "" && r.Operation != admissionv1.Update {
		return nil
	}
	m, err := meta.Accessor(object)
	switch {
	case err != nil:
		return wrong(field, "%v", err)
	case differ(m.GetName(), r.Name):
		return wrong(field+".metadata.name", "%q, but the request is for %q", m.GetName(), r.Name)
	case differ(m.GetNamespace(), r.Namespace):
		return wrong(field+".metadata.namespace", "%q, but the request is for %q", m.GetNamespace(),
			r.Namespace)
	}
	return nil
}

// differ reports whether two values are set and different.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

// options returns the options; nil if there are none, as for CONNECT (S-216)
// and from servers before v1.15.
func (d *reviewDecoder) options(dryRun bool) (runtime.Object, error) {
	const field = "request.options"
	if isNull(d.Options.Raw) {
		return nil, nil
	}
	options := optionsOf(d.Operation)
	if options == nil {
		return nil, hasNone(field, d.Operation)
	}
	want := options.GetObjectKind().GroupVersionKind()
	var has struct {
		metav1.TypeMeta
		DryRun []string `json:"dryRun"`
	}
	if err := json.Unmarshal(d.Options.Raw, &has); err != nil {
		return nil, wrong(field, "%v", err)
	}
	if kind := has.GroupVersionKind(); kind != want {
		return nil, wrong(field, "is %s, but %s has %s", nameOf(kind), d.Operation, nameOf(want))
	}
	// The request's dryRun follows from that of the options (S-202).
	if (len(has.DryRun) > 0) != dryRun {
		return nil, wrong(field+".dryRun", "%q, but request.dryRun is %t", has.DryRun, dryRun)
	}
	if err := json.Unmarshal(d.Options.Raw, options); err != nil {
		return nil, wrong(field, "%v", err)
	}
	return options, nil
}

// optionsOf returns new options of an operation (S-216), nil for CONNECT.
func optionsOf(operation admissionv1.Operation) runtime.Object {
	switch operation {
	case admissionv1.Create:
		return &metav1.CreateOptions{TypeMeta: optionsKind("CreateOptions")}
	case admissionv1.Update:
		return &metav1.UpdateOptions{TypeMeta: optionsKind("UpdateOptions")}
	case admissionv1.Delete:
		return &metav1.DeleteOptions{TypeMeta: optionsKind("DeleteOptions")}
	default:
		return nil
	}
}

// isNull reports whether a field has no value.
func isNull(raw []byte) bool { return len(raw) == 0 || bytes.Equal(raw, []byte("null")) }

// nameOf returns for example "apps/v1 Deployment".
func nameOf(kind schema.GroupVersionKind) string {
	if kind.Kind == "" || kind.Version == "" {
		return "without apiVersion or kind"
	}
	return kind.GroupVersion().String() + " " + kind.Kind
}

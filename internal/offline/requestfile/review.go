package requestfile

import (
	"cmp"
	"encoding/json"
	"errors"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
)

// readReview reads an AdmissionReview, which has the same fields in v1 and
// v1beta1 (S-218). It ignores a response and unknown fields.
func readReview(d *manifest.Document) (*Request, error) {
	var review admissionv1.AdmissionReview
	if err := d.DecodeInto(&review, false); err != nil {
		return nil, err
	}
	q := review.Request
	if q == nil {
		return nil, d.Wrap("", errors.New("request: required: an AdmissionReview is read for its request"))
	}
	r := &Request{
		Document: d, Review: original(q), Operation: q.Operation,
		// The members of a deleted collection are the only ones that are
		// deleted without their names (S-217).
		Collection:  q.Operation == admissionv1.Delete && q.Name == "",
		Subresource: cmp.Or(q.RequestSubResource, q.SubResource),
		Namespace:   q.Namespace, Name: q.Name, User: &q.UserInfo, DryRun: q.DryRun != nil && *q.DryRun,
	}
	if err := r.checkRequired(); err != nil {
		return nil, err
	}
	if err := r.takeObjects(q.Object.Raw, q.OldObject.Raw); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	if err := r.takeReviewed(schema.GroupVersionKind(q.Kind), q.Options.Raw); err != nil {
		return nil, err
	}
	return r, nil
}

// original returns the kind and the resource of the client's request. Servers
// before v1.15 did not send them, but called webhooks in the version of the
// request only.
func original(q *admissionv1.AdmissionRequest) *Review {
	kind, resource := &q.Kind, &q.Resource
	if q.RequestKind != nil {
		kind = q.RequestKind
	}
	if q.RequestResource != nil {
		resource = q.RequestResource
	}
	return &Review{Kind: schema.GroupVersionKind(*kind),
		Resource: schema.GroupVersionResource(*resource)}
}

// checkRequired returns an error if a field is missing that every server sends.
func (r *Request) checkRequired() error {
	switch {
	case r.Operation == "":
		return r.wrong("operation", "required")
	case r.Review.Kind.Kind == "":
		return r.wrong("kind", "required, with group, version and kind")
	case r.Review.Resource.Resource == "":
		return r.wrong("resource", "required, with group, version and resource")
	case r.User.Username == "":
		return r.wrong("userInfo.username", "required: an API server has a name for everyone")
	default:
		return r.Wrap("operation", checkOperation(r.Operation))
	}
}

// takeReviewed checks the kind of the objects and takes the options.
func (r *Request) takeReviewed(kind schema.GroupVersionKind, options []byte) error {
	if err := r.checkKind(kind, "object", r.Object); err != nil {
		return err
	}
	if err := r.checkKind(kind, "oldObject", r.OldObject); err != nil {
		return err
	}
	if !present(options) {
		return nil
	}
	taken, err := r.object("options")
	if err != nil {
		return err
	}
	want := optionsOf(r.Operation)
	if want == "" {
		return r.wrong("options", "%s has none", r.Operation)
	}
	if taken.Kind != metav1.SchemeGroupVersion.WithKind(want) {
		return r.wrong("options", "is %s, but %s has %s %s", name(taken.Kind), r.Operation,
			metav1.SchemeGroupVersion, want)
	}
	r.Review.Options = taken
	return r.checkDryRun()
}

// checkDryRun returns an error if the options contradict the request's dryRun,
// which a server derives from them (S-202).
func (r *Request) checkDryRun() error {
	var options struct {
		DryRun []string `json:"dryRun"`
	}
	if err := json.Unmarshal(r.Review.Options.JSON, &options); err != nil {
		return r.wrong("options.dryRun", "must be a list of texts")
	}
	if dryRun := len(options.DryRun) > 0; dryRun != r.DryRun {
		return r.wrong("options.dryRun", "%q, but request.dryRun is %t", options.DryRun, r.DryRun)
	}
	return nil
}

// checkKind returns an error if an object has another kind.
func (r *Request) checkKind(
	kind schema.GroupVersionKind, field string, object *manifest.Document,
) error {
	if object == nil || object.Kind == kind {
		return nil
	}
	return r.wrong(field, "is %s, but request.kind is %s", name(object.Kind), name(kind))
}

// optionsOf returns the kind of an operation's options (S-216).
func optionsOf(operation admissionv1.Operation) string {
	switch operation {
	case admissionv1.Create:
		return "CreateOptions"
	case admissionv1.Update:
		return "UpdateOptions"
	case admissionv1.Delete:
		return "DeleteOptions"
	default:
		return ""
	}
}

// name returns for example "apps/v1 Deployment".
func name(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}

package requestfile

import (
	"cmp"
	"errors"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
)

// readReview reads an AdmissionReview, which has the same fields in v1 and
// v1beta1 (S-218). It ignores a response and unknown fields, and leaves the
// options, and the kinds of the objects, to package request.
func readReview(d *manifest.Document) (*Request, error) {
	var review admissionv1.AdmissionReview
	if err := errors.Join(d.RawMistakes(&review, false)...); err != nil {
		return nil, err
	}
	q := review.Request
	if q == nil {
		return nil, d.Wrap("", errors.New("request: required"))
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
		return r.wrong("userInfo.username", "required: every request has a user name")
	default:
		return r.Wrap("operation", checkOperation(r.Operation))
	}
}

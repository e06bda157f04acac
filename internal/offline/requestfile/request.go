package requestfile

import (
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
)

// Request is a request that was read from a file. It has the values of the
// file only. It belongs to the caller.
type Request struct {
	// Document is the document of the request.
	Document *manifest.Document
	// Review has the values of an AdmissionReview; nil for an AdmissionRequest.
	Review *Review

	// Operation is CREATE, UPDATE, DELETE or CONNECT.
	Operation admissionv1.Operation
	// Collection says that OldObject is a member of a deleted collection:
	// webhooks see no name.
	Collection bool
	// Resource is for example "deployments.apps" or "deployments.v1.apps".
	// Empty means the resource of the object's kind; for a Review it is in
	// Review.
	Resource string
	// Subresource is empty if the file has none.
	Subresource string
	// Namespace and Name are empty if the file has none.
	Namespace, Name string

	// Object and OldObject are the objects of the operation (S-217). With a
	// Patch there is no Object; an Apply without an OldObject creates.
	Object, OldObject *manifest.Document
	// Patch makes the new object of OldObject. Nil if there is none.
	Patch *Patch

	// User is the user of the request. Nil if the file has none. The user of a
	// Review has a Username.
	User *authenticationv1.UserInfo
	// DryRun says that nothing will be stored.
	DryRun bool
	// Options are empty for a Review, which has its own.
	Options Options
}

// Review has the fields of an AdmissionReview that an AdmissionRequest does not
// have. The objects of the review need not be of the kind in Kind: a server
// converts them for webhooks that match another version (S-213).
type Review struct {
	// Resource is the resource in the client's path.
	Resource schema.GroupVersionResource
	// Kind is the kind that the client sent. For a subresource it is the kind
	// of the body, such as Scale.
	Kind schema.GroupVersionKind
}

// Wrap adds the position and a field of the request, written as in
// "options.fieldManager", to err. It returns nil if err is nil.
func (r *Request) Wrap(field string, err error) error {
	if err == nil {
		return nil
	}
	if r.Review != nil {
		field = inRequest + field
	}
	return r.Document.Wrap(field, fmt.Errorf("%s: %w", field, err))
}

// inRequest precedes the fields of a request in an AdmissionReview.
const inRequest = "request."

// wrong makes an error about a field.
func (r *Request) wrong(field, format string, args ...any) error {
	return r.Wrap(field, fmt.Errorf(format, args...))
}

// object returns the object in a field as a document.
func (r *Request) object(field string) (*manifest.Document, error) {
	if r.Review != nil {
		field = inRequest + field
	}
	return r.Document.Part(field)
}

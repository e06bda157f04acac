package requestfile

import (
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
)

// Request is a request that was read from a file. It says what its author has said,
// and nothing that would have to be looked up. It belongs to the caller, the
// documents in it as any document does.
type Request struct {
	// Document is what the request was read from.
	Document *manifest.Document
	// Review is what only an AdmissionReview says; nil for an AdmissionRequest.
	Review *Review

	// Operation is CREATE, UPDATE, DELETE or CONNECT.
	Operation admissionv1.Operation
	// Collection says that OldObject is a member of a deleted collection: webhooks
	// see no name.
	Collection bool
	// Resource is a text such as "deployments.apps" or "deployments.v1.apps".
	// Empty means that of the object's kind; for a Review, that Review says it.
	Resource string
	// Subresource is empty if nothing was said.
	Subresource string
	// Namespace and Name are empty if nothing was said. Those of a Review are the
	// request's, also if they are empty.
	Namespace, Name string

	// Object and OldObject are there as the operation has them (S-217). If there
	// is a Patch there is no Object, and OldObject only if something is stored:
	// an Apply without it creates.
	Object, OldObject *manifest.Document
	// Patch makes the new object of OldObject. Nil if there is none.
	Patch *Patch

	// User is who asks. Nil if nothing was said. That of a Review has a Username.
	User *authenticationv1.UserInfo
	// DryRun says that nothing will be stored.
	DryRun bool
	// Options are empty for a Review, which has its own.
	Options Options
}

// Review is the part of an AdmissionReview that an AdmissionRequest does not have:
// the original request is known exactly. The objects beside it need not be of its
// kind: a server converts them for webhooks that match another version (S-213).
type Review struct {
	// Resource is the resource that the client asked, by the version that it used.
	Resource schema.GroupVersionResource
	// Kind is the kind that was sent there. For a subresource it is that of its
	// body, such as Scale.
	Kind schema.GroupVersionKind
	// Options is the CreateOptions, UpdateOptions or DeleteOptions of the request
	// as they were sent. Nil if there are none, as for CONNECT (S-216).
	Options *manifest.Document
}

// Wrap says in which file, document and line err happened, and which field it is
// about: one of the request, written as in "options.fieldManager". It returns nil if
// err is nil.
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

// wrong is Wrap for what this package has to say.
func (r *Request) wrong(field, format string, args ...any) error {
	return r.Wrap(field, fmt.Errorf(format, args...))
}

// object takes an object out of the document.
func (r *Request) object(field string) (*manifest.Document, error) {
	if r.Review != nil {
		field = inRequest + field
	}
	return r.Document.Part(field)
}

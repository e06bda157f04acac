package admission

import (
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Request is what a client asks of the API, for those who simulate a request
// rather than serve one. Its objects are never modified.
type Request struct {
	// Operation is CREATE, UPDATE, DELETE or CONNECT. Required.
	Operation admissionv1.Operation
	// Kind is the kind of Object, or of OldObject for DELETE. Required.
	Kind schema.GroupVersionKind
	// Resource is the endpoint that the request is for. Required.
	Resource schema.GroupVersionResource
	// Subresource is for example "scale" or "status"; empty for the resource
	// itself.
	Subresource string
	// Name is the object's name. It is empty for a CREATE whose name is
	// generated and for the members of a deleted collection (S-215, S-217). If
	// it is empty for another CREATE, the object's own name is meant.
	Name string
	// Namespace is empty for cluster-scoped resources. For namespaces it is the
	// namespace's own name (S-365).
	Namespace string

	// Object is the new object: for CREATE and UPDATE, and the options object
	// of CONNECT. It is nil for DELETE.
	Object runtime.Object
	// OldObject is the existing object: for UPDATE and DELETE.
	OldObject runtime.Object
	// Options is the CreateOptions, UpdateOptions or DeleteOptions of the
	// request with its kind filled in; nil for CONNECT (S-216).
	Options runtime.Object
	// DryRun says that nothing will be stored.
	DryRun bool

	// User is who asks. Required: kube-apiserver has no request without a user.
	User *authenticationv1.UserInfo

	// SystemFields asks for the metadata that a server fills in itself.
	//
	// On CREATE a uid and a creation timestamp are set before the validating phase
	// (S-360), but not in bodies for subresources, which are not stored. What the
	// client sent in these fields is wiped before the mutating phase in any case,
	// except from the bodies of pods/binding and serviceaccounts/token: their uid is
	// the one that the object they are for must have.
	//
	// On UPDATE generation, creation and deletion timestamp become those of
	// OldObject before the validating phase, as do uid, resourceVersion and
	// deletion grace period where Object has none (S-361).
	//
	// Off by default, because it makes results differ from run to run.
	SystemFields bool
}

// Response is the answer to a simulated request.
type Response struct {
	// Request is what was asked: the caller's own, not modified.
	Request *Request
	// Began is when the request began its way, and Elapsed how long that took.
	Began   time.Time
	Elapsed time.Duration

	// Allowed reports whether both phases let the request pass.
	Allowed bool
	// Status is the error that a client would receive; nil when Allowed.
	Status *metav1.Status
	// Object is the object as it would be stored; nil for DELETE. When the
	// request was denied it is the object as far as it had come. It belongs to
	// the caller.
	Object runtime.Object
	// Warnings are what a client would see in Warning headers, in order and
	// without repetitions.
	Warnings []string
	// AuditAnnotations are what the audit event would hold, in the order in
	// which they were added.
	AuditAnnotations []AuditAnnotation
	// Matches has one entry per webhook, phase and round, in order.
	Matches []Match
	// Calls has one entry per call, in order; those of the validating phase are
	// in the order of the webhooks, not of their answers.
	Calls []Call
}

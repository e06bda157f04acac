package admission

import (
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Request is a request to simulate. Simulation does not modify its objects.
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
	// Name is the object's name. It is empty for a CREATE with generateName and
	// for the members of a deleted collection (S-215, S-217). For another
	// CREATE it defaults to metadata.name.
	Name string
	// Namespace is empty for cluster-scoped resources. For a Namespace it is
	// its name (S-365).
	Namespace string

	// Object is the new object: for CREATE and UPDATE, and the options object
	// of CONNECT. It is nil for DELETE.
	Object runtime.Object
	// OldObject is the existing object: for UPDATE and DELETE.
	OldObject runtime.Object
	// Options is the CreateOptions, UpdateOptions or DeleteOptions of the
	// request, with its kind set; nil for CONNECT (S-216).
	Options runtime.Object
	// DryRun reports whether the request is a dry run: the API server would not
	// store the object.
	DryRun bool

	// User is the user of the request. Required, as in kube-apiserver.
	User *authenticationv1.UserInfo

	// NameSuffix is the end of a name that is generated from
	// metadata.generateName. The default is five random characters.
	NameSuffix string

	// SystemFields sets the metadata that an API server sets.
	//
	// On CREATE it sets uid and creation timestamp before the validating phase
	// (S-360), but not in bodies of subresources, which are not stored. With or
	// without it, the values of the client are cleared before the mutating
	// phase, except in the bodies of pods/binding and serviceaccounts/token,
	// whose uid is a precondition on the parent object.
	//
	// On UPDATE it copies generation, creation and deletion timestamp from
	// OldObject before the validating phase, and uid, resourceVersion and
	// deletion grace period if Object has none (S-361).
	//
	// Off by default, because it makes results differ from run to run.
	SystemFields bool
}

// Response is the result of a request, simulated or observed in a server.
type Response struct {
	// Request is the request before the mutating phase.
	Request *Request
	// Began is when the request began, and Elapsed how long it took.
	Began   time.Time
	Elapsed time.Duration

	// NamespaceLabels are the labels of the request's namespace at that time,
	// if the program that created the response knows them; nil otherwise. A
	// Match has the labels that it was compared with.
	NamespaceLabels map[string]string

	// Allowed reports whether both phases allowed the request.
	Allowed bool
	// Status is the error that a client would receive; nil if Allowed, and for
	// an observed request that ended between the phases.
	Status *metav1.Status
	// Object is the object that would be stored, or the object at the time of
	// the denial; nil for DELETE. It belongs to the caller.
	Object runtime.Object
	// Warnings are the warnings that a client would receive, in order and
	// without duplicates.
	Warnings []string
	// AuditAnnotations are the annotations of the audit event, in the order in
	// which they were added.
	AuditAnnotations []AuditAnnotation
	// Policies has one entry per policy, phase and round, in order. It is empty
	// if the dispatcher has no policies.
	Policies []PolicyRecord
	// Matches has one entry per webhook, phase and round, in order.
	Matches []Match
	// Calls has one entry per call, in order; those of the validating phase are
	// in the order of the webhooks, not of their responses.
	Calls []Call
}

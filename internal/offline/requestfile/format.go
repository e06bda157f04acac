package requestfile

import (
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/manifest"
)

// AdmissionRequest is a request in a file, with the apiVersion
// gatehouse/v1alpha1. Fields that the request of an AdmissionReview has too
// have the same names. All fields are optional, unless the operation needs
// them.
type AdmissionRequest struct {
	metav1.TypeMeta `json:""`

	// Operation is CREATE, UPDATE, DELETE or CONNECT. Default: UPDATE if there
	// is an oldObject beside an object or a patch, and otherwise CREATE. DELETE
	// and CONNECT are never the default.
	Operation admissionv1.Operation `json:"operation,omitempty"`
	// Collection says that oldObject is deleted as a member of a collection, so
	// that webhooks see no name (S-217). DELETE only.
	Collection bool `json:"collection,omitempty"`
	// Resource is the resource in the path, such as "deployments.apps" or
	// "deployments.v1.apps". Default: the resource of the object's kind.
	// Required for a Scale, which many resources take.
	Resource string `json:"resource,omitempty"`
	// SubResource is for example "scale" or "status". Default: none; for
	// objects that only one subresource takes, such as an Eviction, that one.
	SubResource string `json:"subResource,omitempty"`
	// Namespace is that of the request. Default: the object's, and if it has
	// none that of the command line.
	Namespace string `json:"namespace,omitempty"`
	// Name is that of the request. Default: the object's.
	Name string `json:"name,omitempty"`

	// Object is the new object, for CREATE and UPDATE. For CONNECT it is the
	// options of the connection, such as a PodExecOptions (S-364).
	Object json.RawMessage `json:"object,omitempty"`
	// OldObject is the object as it is stored, for UPDATE and DELETE.
	OldObject json.RawMessage `json:"oldObject,omitempty"`
	// Patch makes the new object of OldObject. It replaces Object.
	Patch *Patch `json:"patch,omitempty"`

	// UserInfo is the user of the request. Default: the user of the command
	// line. Nothing is added to it, not even the group system:authenticated.
	UserInfo *authenticationv1.UserInfo `json:"userInfo,omitempty"`
	// DryRun says that nothing will be stored. All but CONNECT. A request is in
	// dry run if the command line is.
	DryRun bool `json:"dryRun,omitempty"`
	// Options are the options of the operation.
	Options Options `json:"options,omitzero"`
}

// Patch is the body of a PATCH request.
type Patch struct {
	// Type is the type of Content. Required.
	Type PatchType `json:"type"`
	// Force takes fields that other managers own, without a conflict. Apply
	// only.
	Force bool `json:"force,omitempty"`
	// Content is the patch: for JSON a list of operations, for Apply the fields
	// to own as an object with apiVersion and kind, and for the others an
	// object. Required.
	Content json.RawMessage `json:"content"`

	// Object is Content as a document, for Apply; otherwise nil. It is no field
	// of the file.
	Object *manifest.Document `json:"-"`
}

// PatchType names a kind of patch, as kubectl patch --type does.
type PatchType string

// The types of patches.
const (
	// JSON is a JSON patch (RFC 6902).
	JSON PatchType = "json"
	// Merge is a JSON merge patch (RFC 7386).
	Merge PatchType = "merge"
	// Strategic is a merge patch that knows the lists of built-in kinds.
	Strategic PatchType = "strategic"
	// Apply is server-side apply. Without a stored object it creates.
	Apply PatchType = "apply"
)

// Options are the options of all operations. Package request checks which of
// them an operation has.
type Options struct {
	// FieldManager is the owner of the fields that are written. CREATE and
	// UPDATE.
	FieldManager string `json:"fieldManager,omitempty"`
	// FieldValidation is Ignore, Warn or Strict. CREATE and UPDATE.
	FieldValidation string `json:"fieldValidation,omitempty"`
	// GracePeriodSeconds is the time in which a deleted object terminates.
	// DELETE.
	GracePeriodSeconds *int64 `json:"gracePeriodSeconds,omitempty"`
	// PropagationPolicy is Foreground, Background or Orphan. DELETE.
	PropagationPolicy *metav1.DeletionPropagation `json:"propagationPolicy,omitempty"`
	// Preconditions are the uid and the resourceVersion that the stored object
	// must have. DELETE.
	Preconditions *metav1.Preconditions `json:"preconditions,omitempty"`
}

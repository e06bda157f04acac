package requestfile

import (
	"bytes"
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/manifest"
)

// AdmissionRequest is a request as it is written in a file, with the apiVersion
// gatehouse/v1alpha1. Where the request of an AdmissionReview has the same field, it
// has the same name. All fields are optional, unless the operation needs them.
type AdmissionRequest struct {
	metav1.TypeMeta `json:""`

	// Operation is CREATE, UPDATE, DELETE or CONNECT. Default: UPDATE if there is
	// an oldObject beside an object or a patch, and otherwise CREATE. DELETE and
	// CONNECT have to be said.
	Operation admissionv1.Operation `json:"operation,omitempty"`
	// Collection says that oldObject is deleted as a member of a collection, so
	// that webhooks see no name (S-217). DELETE only.
	Collection bool `json:"collection,omitempty"`
	// Resource is where the request is sent, such as "deployments.apps" or
	// "deployments.v1.apps". Default: the resource of the object's kind. It is
	// needed where that is not enough: a Scale may be sent to many resources.
	Resource string `json:"resource,omitempty"`
	// SubResource is for example "scale" or "status". Default: none, or for
	// objects that are sent to one subresource only, such as an Eviction, that.
	SubResource string `json:"subResource,omitempty"`
	// Namespace is that of the request. Default: the object's, and if it has none
	// that of the command line.
	Namespace string `json:"namespace,omitempty"`
	// Name is that of the request. Default: the object's.
	Name string `json:"name,omitempty"`

	// Object is the new object, for CREATE and UPDATE. For CONNECT it is the
	// options of the connection, such as a PodExecOptions (S-364).
	Object json.RawMessage `json:"object,omitempty"`
	// OldObject is the object as it is stored, for UPDATE and DELETE.
	OldObject json.RawMessage `json:"oldObject,omitempty"`
	// Patch makes the new object of OldObject. It stands instead of Object.
	Patch *Patch `json:"patch,omitempty"`

	// UserInfo is who asks. Default: the user of the command line. If it is there
	// all of it counts: nothing is added, not even the group
	// system:authenticated.
	UserInfo *authenticationv1.UserInfo `json:"userInfo,omitempty"`
	// DryRun says that nothing will be stored. All but CONNECT. Default: what the
	// command line says; a request cannot say no to that.
	DryRun bool `json:"dryRun,omitempty"`
	// Options are what the client asks for beyond the operation.
	Options Options `json:"options,omitzero"`
}

// Patch is a change of an object, as a client sends it with the verb patch.
type Patch struct {
	// Type is how Content is to be understood. Required.
	Type PatchType `json:"type"`
	// Force takes the fields that others own, without a conflict. Apply only.
	Force bool `json:"force,omitempty"`
	// Content is the patch: for JSON a list of operations, for Apply the fields
	// to own as an object with apiVersion and kind, and for the others an object.
	// Required.
	Content json.RawMessage `json:"content"`

	// Object is Content as a document, for Apply; otherwise nil. It is not
	// written in files.
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
	// Apply is server-side apply. It alone needs no stored object: without one,
	// it creates.
	Apply PatchType = "apply"
)

// Options are those of all operations. Which of them an operation has is for
// package request to say.
type Options struct {
	// FieldManager is who owns the fields that are written. CREATE and UPDATE.
	FieldManager string `json:"fieldManager,omitempty"`
	// FieldValidation is Ignore, Warn or Strict. CREATE and UPDATE.
	FieldValidation string `json:"fieldValidation,omitempty"`
	// GracePeriodSeconds is how long a deleted object has to end. DELETE.
	GracePeriodSeconds *int64 `json:"gracePeriodSeconds,omitempty"`
	// PropagationPolicy is Foreground, Background or Orphan. DELETE.
	PropagationPolicy *metav1.DeletionPropagation `json:"propagationPolicy,omitempty"`
	// Preconditions are the uid and the resourceVersion that the stored object
	// must have. DELETE.
	Preconditions *metav1.Preconditions `json:"preconditions,omitempty"`
}

// DeepCopyObject makes an AdmissionRequest something that decoders can read.
func (r *AdmissionRequest) DeepCopyObject() runtime.Object {
	c := *r
	c.Object, c.OldObject = bytes.Clone(r.Object), bytes.Clone(r.OldObject)
	if r.Patch != nil {
		patch := *r.Patch
		patch.Content = bytes.Clone(patch.Content)
		c.Patch = &patch
	}
	c.UserInfo = r.UserInfo.DeepCopy()
	c.Options = r.Options.clone()
	return &c
}

func (o Options) clone() Options {
	deletion := metav1.DeleteOptions{
		GracePeriodSeconds: o.GracePeriodSeconds, PropagationPolicy: o.PropagationPolicy, Preconditions: o.Preconditions,
	}
	deletion = *deletion.DeepCopy()
	o.GracePeriodSeconds, o.PropagationPolicy, o.Preconditions =
		deletion.GracePeriodSeconds, deletion.PropagationPolicy, deletion.Preconditions
	return o
}

package requests

import (
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/admission/request"
)

// Settings are what is asked of objects in manifests, which do not say it
// themselves. Of these, request files take the namespace and By's user as their
// defaults, and are in dry run if By is; nothing else is for them.
type Settings struct {
	// Operation is CREATE, UPDATE, DELETE or CONNECT. Empty means what the rest
	// suggests: UPDATE for a patch; for what is applied UPDATE if it is stored or
	// goes to a subresource, and otherwise CREATE; for all else what the
	// subresource takes if there is one, UPDATE if there are stored objects, and
	// otherwise CREATE. An endpoint that does not take it is an error.
	Operation admissionv1.Operation
	// Collection says that the objects are deleted as a collection. DELETE only.
	Collection bool
	// Subresource is a subresource, such as "status", or a resource and one of its
	// subresources, such as "deployments.apps/scale". The latter is for bodies
	// that do not tell what they are for. Empty means the objects' own endpoint,
	// for bodies that of their kind.
	Subresource string
	// Namespace is that of namespaced objects that name none. Required.
	Namespace string
	// Name is that of bodies that have none, such as a PodExecOptions. Members of
	// collections have none.
	Name string

	// Patch makes the new object of a stored one. Nil if there is none.
	Patch *Patch
	// Apply says that the objects are what a client applies, by server-side apply.
	Apply bool
	// Force takes the fields that somebody else owns. Apply only.
	Force bool

	// By is who asks, and how. Options that an operation does not have are errors.
	By request.By
}

// Patch is what a client sends with the verb patch.
type Patch struct {
	// Type is one of JSON patch, merge patch and strategic merge patch.
	Type types.PatchType
	// JSON is the patch. It is never modified.
	JSON []byte
}

package requests

import (
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/admission/request"
)

// Settings are the parameters of the requests for objects in manifests. Request
// files use the namespace, the user and the dry run as defaults, and nothing
// else.
type Settings struct {
	// Operation is CREATE, UPDATE, DELETE or CONNECT. The default is UPDATE for
	// a patch; for an applied object UPDATE if it is stored or has a
	// subresource, and otherwise CREATE; in all other cases the operation of
	// the subresource if there is one, UPDATE if there are stored objects, and
	// otherwise CREATE.
	Operation admissionv1.Operation
	// Collection deletes the objects as a collection. DELETE only.
	Collection bool
	// Subresource is a subresource, such as "status", or a resource and one of
	// its subresources, such as "deployments.apps/scale", for bodies that many
	// resources take. Empty means the endpoint of the kind.
	Subresource string
	// Namespace is the namespace of namespaced objects without one. Required.
	Namespace string
	// Name is the name in the request for bodies without one, such as a
	// PodExecOptions. Members of collections have none.
	Name string

	// Patch makes the new object of a stored one. Nil if there is none.
	Patch *Patch
	// Apply is true if the objects are configurations for server-side apply.
	Apply bool
	// Force takes fields that other managers own. Apply only.
	Force bool

	// By has the user and the options. An option that an operation does not
	// have is an error.
	By request.By
}

// Patch is the body of a PATCH request.
type Patch struct {
	// Type is one of JSON patch, merge patch and strategic merge patch.
	Type types.PatchType
	// JSON is the patch.
	JSON []byte
}

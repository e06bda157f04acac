package request

import (
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// Create asks for a new object, or sends a body to pods/binding, pods/eviction
// or serviceaccounts/token.
//
// The request's name is that of the object, and stays empty if the object
// leaves it to metadata.generateName (S-215); for subresources it is that of
// the object that they belong to. The namespace of a new namespace is its own
// name (S-365).
//
// A PUT that creates what is not there yet, which some resources allow, is the
// same to a webhook (S-361).
func Create(at Endpoint, object runtime.Object, by By) (*admission.Request, error) {
	return (&draft{verb: post, at: at, by: by}).ask(nil, object)
}

// Update asks to replace old, the object as it is stored, by another one. Both
// are of the kind that the endpoint takes: two Scales for deployments/scale.
// The old one need not have a uid, by which servers know that it exists.
func Update(at Endpoint, old, object runtime.Object, by By) (*admission.Request, error) {
	return (&draft{verb: put, at: at, by: by}).ask(old, object)
}

// Patch asks to change old, the object as it is stored, into what the patch
// makes of it. Webhooks cannot tell it from an Update: the server turns the
// PatchOptions of the client into UpdateOptions (S-216, S-362). A patch, other
// than an Apply, of what does not exist is refused before they are asked.
func Patch(at Endpoint, old, object runtime.Object, by By) (*admission.Request, error) {
	return (&draft{verb: put, at: at, by: by}).ask(old, object)
}

// Apply asks for what server-side apply has made of old, the object as it is
// stored. If old is nil the object is new, and webhooks see a CREATE with
// CreateOptions instead of an UPDATE (S-216, S-362); subresources are never
// created like this. Whether the client forces conflicts does not show.
// By.FieldManager is required.
func Apply(at Endpoint, old, object runtime.Object, by By) (*admission.Request, error) {
	if old == nil && at.Subresource == "" {
		return (&draft{verb: applyNew, at: at, by: by}).ask(nil, object)
	}
	return (&draft{verb: apply, at: at, by: by}).ask(old, object)
}

// Connect asks for a connection: exec, attach, portforward or proxy. The object
// is the options of the connection in the core group, a PodExecOptions for
// pods/exec; a proxy's have the path behind the proxy. It makes no difference
// with which HTTP method a client connects.
//
// Endpoint.Name is required. For services it is what the path says, which may
// have a scheme and a port around the name of the service ("https:web:443").
// There are no options of the request itself (S-216), so that of By only the
// User may be set (S-364).
func Connect(at Endpoint, object runtime.Object, by By) (*admission.Request, error) {
	return (&draft{verb: connect, at: at, by: by}).ask(nil, object)
}

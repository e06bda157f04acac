package request

import (
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// Create returns the request to create an object, or to send a body to
// pods/binding, pods/eviction or serviceaccounts/token.
//
// The request's name is that of the object; it is empty if the object has a
// metadata.generateName instead (S-215). For subresources it is the name of the
// parent object. The namespace of a new namespace is its own name (S-365).
//
// Some resources allow a PUT to create an object. Webhooks receive the same
// request for it (S-361).
func Create(at Endpoint, object runtime.Object, by By) (*admission.Request, error) {
	return (&draft{verb: post, at: at, by: by}).ask(nil, object)
}

// Update returns the request to replace old, the stored object, by another one.
// Both have the kind that the endpoint takes: two Scales for deployments/scale.
// old need not have a uid.
func Update(at Endpoint, old, object runtime.Object, by By) (*admission.Request, error) {
	return (&draft{verb: put, at: at, by: by}).ask(old, object)
}

// Patch returns the request to patch old, the stored object. object is the
// result of the patch. Webhooks cannot distinguish it from an Update: the
// server turns the PatchOptions of the client into UpdateOptions (S-216,
// S-362). If the object does not exist, a server rejects a patch, other than an
// Apply, before it calls webhooks.
func Patch(at Endpoint, old, object runtime.Object, by By) (*admission.Request, error) {
	return (&draft{verb: put, at: at, by: by}).ask(old, object)
}

// Apply returns the request of a server-side apply to old, the stored object.
// object is the result of the apply. If old is nil, the object is new, and
// webhooks receive a CREATE with CreateOptions instead of an UPDATE (S-216,
// S-362); an apply never creates a subresource. The request does not contain
// whether the client forces conflicts. By.FieldManager is required.
func Apply(at Endpoint, old, object runtime.Object, by By) (*admission.Request, error) {
	if old == nil && at.Subresource == "" {
		return (&draft{verb: applyNew, at: at, by: by}).ask(nil, object)
	}
	return (&draft{verb: apply, at: at, by: by}).ask(old, object)
}

// Connect returns the request for a connection: exec, attach, portforward or
// proxy. object is the options of the connection in the core group, a
// PodExecOptions for pods/exec; those of a proxy have the path behind the
// proxy. The HTTP method of the client makes no difference.
//
// Endpoint.Name is required. For services it is the name in the path, which may
// have a scheme and a port around the name of the service ("https:web:443").
// The request itself has no options (S-216), so By may have only the User
// (S-364).
func Connect(at Endpoint, object runtime.Object, by By) (*admission.Request, error) {
	return (&draft{verb: connect, at: at, by: by}).ask(nil, object)
}

package request

import (
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// Endpoint is the endpoint of a request.
type Endpoint struct {
	// Resource is the resource in the path. Required.
	Resource schema.GroupVersionResource
	// Kind is the kind of the resource's own objects, even if a subresource
	// takes another kind: Pod for pods/eviction. Required.
	Kind schema.GroupVersionKind
	// Namespaced reports whether the resource is namespaced. It is false for
	// namespaces themselves.
	Namespaced bool
	// Subresource is for example "scale"; empty for the resource itself.
	Subresource string

	// Namespace is the namespace in the path. Empty means that of the objects;
	// one of them must have one. It must be empty if Namespaced is false.
	Namespace string
	// Name is the name in the path. Empty means that of the objects. It is
	// required for Connect and for bodies without a name, such as a
	// TokenRequest, and must be empty for DeleteCollection. If an object has a
	// name, it must be this one.
	Name string
}

func (at *Endpoint) check() error {
	switch {
	case at.Resource.Empty():
		return wrong("Endpoint.Resource", "required")
	case at.Kind.Empty():
		return wrong("Endpoint.Kind", "required")
	case !at.Namespaced && at.Namespace != "":
		return wrong("Endpoint.Namespace", "%q, but %s are cluster-scoped", at.Namespace, at.path())
	default:
		return nil
	}
}

// path returns for example "deployments.apps/scale".
func (at *Endpoint) path() string {
	path := at.Resource.GroupResource().String()
	if at.Subresource != "" {
		path += "/" + at.Subresource
	}
	return path
}

// isNamespaces reports whether the resource is that of namespaces, whose
// requests are in the namespace that they are about (S-365).
func (at *Endpoint) isNamespaces() bool {
	return at.Resource.GroupResource() == schema.GroupResource{Resource: "namespaces"}
}

// posts reports whether a request is sent to a collection, so that its path has
// no name.
func (at *Endpoint) posts(verb verb) bool { return verb == post && at.Subresource == "" }

// learn takes from an object what the path does not say, and makes sure that it
// does not contradict the rest. what is the argument that the object was.
func (at *Endpoint) learn(verb verb, what string, m metav1.Object) error {
	nameless := m.GetName() == ""
	switch {
	case nameless && verb != post:
		return wrong(what+".metadata.name", "required")
	case nameless && at.posts(verb) && at.Name != "":
		return wrong(what+".metadata.name", "empty, but the request is for %q", at.Name)
	case !agree(&at.Name, m.GetName()):
		return wrong(what+".metadata.name", "%q, but the request is for %q", m.GetName(), at.Name)
	case at.Namespaced && !agree(&at.Namespace, m.GetNamespace()):
		return wrong(what+".metadata.namespace", "%q, but the request is for %q",
			m.GetNamespace(), at.Namespace)
	default:
		return nil
	}
}

// agree reports whether two values are the same or one of them is empty. If known
// is empty, agree sets it to value.
func agree(known *string, value string) bool {
	if *known == "" {
		*known = value
	}
	return value == "" || value == *known
}

// setPath sets the name and the namespace of the request.
func (at *Endpoint) setPath(verb verb, r *admission.Request) error {
	switch {
	case at.Name == "" && !at.posts(verb):
		return wrong("Endpoint.Name", "required")
	case at.Namespaced && at.Namespace == "":
		return wrong("Endpoint.Namespace", "required: %s are namespaced", at.Resource.GroupResource())
	}
	r.Name, r.Namespace = at.Name, at.Namespace
	if at.isNamespaces() {
		r.Namespace = at.Name
	}
	return nil
}

// kind returns the kind that is sent to the endpoint.
func (at *Endpoint) kind(operation admissionv1.Operation) (schema.GroupVersionKind, error) {
	none := schema.GroupVersionKind{}
	if at.Subresource == "" {
		if operation == admissionv1.Connect {
			return none, wrong("Endpoint.Subresource", "required: a CONNECT to %s needs a subresource", at.path())
		}
		return at.Kind, nil
	}
	s, ok := at.subresource()
	if !ok {
		return none, wrong("Endpoint.Subresource", "%s have no subresource %q", at.Resource.GroupResource(), at.Subresource)
	}
	if s.operation != operation {
		return none, wrong("Endpoint.Subresource", "requests to %s are %s, not %s", at.path(), s.operation, operation)
	}
	return s.kind, nil
}

package requestfile

import (
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
)

// check returns an error for a request that no client can send.
func (r *Request) check() error {
	if err := r.checkPath(); err != nil {
		return err
	}
	for _, rule := range r.objectRules() {
		if rule.operation == r.Operation && rule.broken {
			return r.wrong(rule.field, "%s", rule.reason)
		}
	}
	return nil
}

func (r *Request) checkPath() error {
	resource, subresource, both := strings.Cut(r.Resource, "/")
	switch {
	case both && (resource == "" || subresource == ""):
		return r.wrong("resource", "%q: must be the name of a resource, such as deployments.apps, without a slash", r.Resource)
	case both:
		return r.wrong("resource", "%q is two: write resource: %s and subResource: %s", r.Resource,
			resource, subresource)
	case r.Collection && r.Operation != admissionv1.Delete:
		return r.wrong(
			"collection", "only what is deleted is a member of a collection, but this is a %s", r.Operation)
	case r.Collection && r.Name != "":
		return r.wrong("name", "must be absent: a request to delete a collection has none")
	case r.Object != nil && r.Patch != nil:
		return r.wrong(
			"patch", "there is an object as well: the new object is either written out or made by a patch")
	default:
		return nil
	}
}

// objectRule is a rule for the objects of an operation (S-217).
type objectRule struct {
	operation admissionv1.Operation
	field     string
	broken    bool
	reason    string
}

func (r *Request) objectRules() []objectRule {
	const (
		create   = admissionv1.Create
		update   = admissionv1.Update
		remove   = admissionv1.Delete
		connects = admissionv1.Connect
	)
	object, old, patch := r.Object != nil, r.OldObject != nil, r.Patch != nil
	return []objectRule{
		{create, "oldObject", patch && r.Patch.Type != Apply && !old, "required: a patch changes what is stored; only an apply creates"},
		{create, "oldObject", old, "CREATE has none: what is stored is changed by an UPDATE"},
		{create, "object", !object && !patch, "required: CREATE is about a new object"},
		{update, "oldObject", !old, "required: UPDATE is about an object that is stored"},
		{update, "object", !object && !patch, "required: UPDATE is about a new object, or a patch that makes it"},
		{remove, "object", object, "DELETE has none: what is deleted is the oldObject"},
		{remove, "patch", patch, "DELETE has none"},
		{remove, "oldObject", !old, "required: DELETE is about an object that is stored"},
		{connects, "oldObject", old, "CONNECT has none"},
		{connects, "patch", patch, "CONNECT has none"},
		{connects, "dryRun", r.DryRun, "is not supported for CONNECT"}, // S-364
		{connects, "object", !object, "required: CONNECT has the options of the connection, such as a PodExecOptions"},
	}
}

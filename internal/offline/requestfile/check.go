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
		return r.wrong("resource", "%q has a subresource: write resource: %s and subResource: %s", r.Resource,
			resource, subresource)
	case r.Collection && r.Operation != admissionv1.Delete:
		return r.wrong(
			"collection", "only a DELETE can be for a collection, but this is a %s", r.Operation)
	case r.Collection && r.Name != "":
		return r.wrong("name", "must be absent: a request to delete a collection has no name")
	case r.Object != nil && r.Patch != nil:
		return r.wrong(
			"patch", "cannot be combined with object: give the new object or a patch")
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
		{create, "oldObject", patch && r.Patch.Type != Apply && !old, "required: a patch changes a stored object; only an apply can create one"},
		{create, "oldObject", old, "must be absent for CREATE: use UPDATE to change a stored object"},
		{create, "object", !object && !patch, "required for CREATE: the new object"},
		{update, "oldObject", !old, "required for UPDATE: the stored object"},
		{update, "object", !object && !patch, "required for UPDATE: the new object, or a patch"},
		{remove, "object", object, "must be absent for DELETE: the deleted object is the oldObject"},
		{remove, "patch", patch, "must be absent for DELETE"},
		{remove, "oldObject", !old, "required for DELETE: the stored object"},
		{connects, "oldObject", old, "must be absent for CONNECT"},
		{connects, "patch", patch, "must be absent for CONNECT"},
		{connects, "dryRun", r.DryRun, "is not supported for CONNECT"}, // S-364
		{connects, "object", !object, "required for CONNECT: the options of the connection, such as PodExecOptions"},
	}
}

package requestfile

import (
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
)

// check reports what cannot be meant.
func (r *Request) check() error {
	if err := r.checkPath(); err != nil {
		return err
	}
	switch r.Operation {
	case admissionv1.Create:
		return r.checkCreate()
	case admissionv1.Update:
		return r.checkUpdate()
	case admissionv1.Delete:
		return r.checkDelete()
	default:
		return r.checkConnect()
	}
}

func (r *Request) checkPath() error {
	resource, subresource, both := strings.Cut(r.Resource, "/")
	switch {
	case both && (resource == "" || subresource == ""):
		return r.wrong("resource", "%q: must be the name of a resource, such as deployments.apps, without a slash", r.Resource)
	case both:
		return r.wrong("resource", "%q is two: write resource: %s and subResource: %s", r.Resource, resource, subresource)
	case r.Collection && r.Operation != admissionv1.Delete:
		return r.wrong("collection", "only what is deleted is a member of a collection, but this is a %s", r.Operation)
	case r.Collection && r.Name != "":
		return r.wrong("name", "must be absent: a request to delete a collection has none")
	case r.Object != nil && r.Patch != nil:
		return r.wrong("patch", "there is an object as well: the new object is either written out or made by a patch")
	default:
		return nil
	}
}

func (r *Request) checkCreate() error {
	switch {
	case r.Patch != nil && r.Patch.Type != Apply && r.OldObject == nil:
		return r.wrong("oldObject", "required: a patch changes what is stored; only an apply creates")
	case r.OldObject != nil:
		return r.wrong("oldObject", "CREATE has none: what is stored is changed by an UPDATE")
	case r.Object == nil && r.Patch == nil:
		return r.wrong("object", "required: CREATE is about a new object")
	default:
		return nil
	}
}

func (r *Request) checkUpdate() error {
	switch {
	case r.OldObject == nil:
		return r.wrong("oldObject", "required: UPDATE is about an object that is stored")
	case r.Object == nil && r.Patch == nil:
		return r.wrong("object", "required: UPDATE is about a new object, or a patch that makes it")
	default:
		return nil
	}
}

func (r *Request) checkDelete() error {
	switch {
	case r.Object != nil:
		return r.wrong("object", "DELETE has none: what is deleted is the oldObject")
	case r.Patch != nil:
		return r.wrong("patch", "DELETE has none")
	case r.OldObject == nil:
		return r.wrong("oldObject", "required: DELETE is about an object that is stored")
	default:
		return nil
	}
}

func (r *Request) checkConnect() error {
	switch {
	case r.OldObject != nil:
		return r.wrong("oldObject", "CONNECT has none")
	case r.Patch != nil:
		return r.wrong("patch", "CONNECT has none")
	case r.DryRun:
		return r.wrong("dryRun", "is not supported for CONNECT") // S-364
	case r.Object == nil:
		return r.wrong("object", "required: CONNECT has the options of the connection, such as a PodExecOptions")
	default:
		return nil
	}
}

package requests

import (
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/offline/kinds"
)

// check returns an error for a draft that the endpoint does not take, before
// the objects are processed. Package request checks the rest.
func (o *draft) check() error {
	taken, body, ok := o.at.Takes()
	switch {
	case o.patch != nil && ok && taken != admissionv1.Update:
		return o.wrong("patch", "requests to %s are %s, but a patch is an UPDATE", o.path(), taken)
	case o.config != nil && ok && taken != admissionv1.Update:
		return o.wrong("apply", "requests to %s are %s, but an apply is a CREATE or an UPDATE", o.path(), taken)
	case o.config != nil && o.at.Subresource == "scale":
		return o.wrong("apply", "not supported for scales: only the object itself records who owns the replicas: apply to the object, or patch the scale")
	case o.config != nil && o.at.Subresource != "" && o.old == nil:
		return o.wrong("old", "required: an apply to a subresource cannot create an object")
	case ok && taken != o.operation:
		return o.wrong("operation", "requests to %s are %s, not %s", o.path(), taken, o.operation)
	case o.at.Subresource == "":
		body = o.at.Kind
	case !ok:
		return nil
	}
	// As on a server, no other version can be applied.
	if o.config != nil && o.config.Kind != body {
		return o.config.Wrap("kind", fmt.Errorf("kind: %s, but %s takes %s",
			kinds.Name(o.config.Kind), o.path(), kinds.Name(body)))
	}
	return nil
}

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
		return o.wrong("apply", "requests to %s are %s: nothing can be applied there", o.path(), taken)
	case o.config != nil && o.at.Subresource == "scale":
		return o.wrong("apply", "not for scales: who owns the replicas is known of the object itself only: apply to that, or patch the scale")
	case o.config != nil && o.at.Subresource != "" && o.old == nil:
		return o.wrong("old", "required: only whole objects are created by an apply")
	case ok && taken != o.operation:
		return o.wrong("operation", "requests to %s are %s, not %s", o.path(), taken, o.operation)
	case o.at.Subresource == "":
		body = o.at.Kind
	case !ok:
		return nil
	}
	// As on a server, no other version can be applied.
	if o.config != nil && o.config.Kind != body {
		return o.config.Wrap("kind", fmt.Errorf("kind: %s, but what is applied to %s is %s",
			kinds.Name(o.config.Kind), o.path(), kinds.Name(body)))
	}
	return nil
}

package request

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// Delete returns the request to delete old, the stored object. It is the
// OldObject of the request, which has no Object (S-217).
//
// The DeleteOptions are those of the client. A server sets some of them before
// it calls webhooks: for pods the grace period, which is 0 for pods that are
// not scheduled or have ended, and for namespaces and CustomResourceDefinitions
// the uid among the preconditions. Set them in By if that matters. In a
// collection, webhooks receive the options of the client.
func Delete(at Endpoint, old runtime.Object, by By) (*admission.Request, error) {
	return (&draft{verb: remove, at: at, by: by}).ask(old, nil)
}

// DeleteCollection returns the requests to delete all objects of a collection.
// members are the stored objects. An API server calls webhooks for each member,
// so the result has one request for each, in order.
//
// Members of namespaced resources must all be in one namespace. Namespaces
// cannot be deleted as a collection.
func DeleteCollection(at Endpoint, members []runtime.Object, by By) ([]*admission.Request, error) {
	if err := at.checkCollection(); err != nil {
		return nil, fmt.Errorf("making a request to DELETE a collection of %s: %w", at.path(), err)
	}
	requests := make([]*admission.Request, 0, len(members))
	for i, member := range members {
		r, err := Delete(at, member, by)
		if err != nil {
			return nil, fmt.Errorf("members[%d]: %w", i, err)
		}
		r.Name = "" // Compat: S-217: it is that of the request, not that of the member
		if at.Namespaced {
			at.Namespace = r.Namespace
		}
		requests = append(requests, r)
	}
	return requests, nil
}

func (at *Endpoint) checkCollection() error {
	switch {
	case at.Name != "":
		return wrong("Endpoint.Name", "must be empty: a collection has none")
	case at.Subresource != "":
		return wrong("Endpoint.Subresource", "must be empty: subresources have no collections")
	case at.isNamespaces():
		return wrong("Endpoint.Resource", "namespaces are deleted one by one")
	default:
		return nil
	}
}

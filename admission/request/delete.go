package request

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// Delete asks to delete old, the object as it is stored. It is the OldObject of
// the request, which has no Object (S-217).
//
// The DeleteOptions are those of the client. Servers settle some of them before
// they ask webhooks: for pods the grace period, which is 0 for those that are
// not scheduled or have ended, and for namespaces and CustomResourceDefinitions
// the uid among the preconditions. Set them in By where that matters. In a
// collection webhooks see what the client sent.
func Delete(at Endpoint, old runtime.Object, by By) (*admission.Request, error) {
	return (&draft{verb: remove, at: at, by: by}).ask(old, nil)
}

// DeleteCollection asks to delete all objects of a collection, which are its
// members as they are stored. Webhooks are asked once for each, so that there
// is one request for each, in order, and none if there are no members.
//
// Members of namespaced resources must all be in one namespace, since a
// collection is. Namespaces cannot be deleted as a collection.
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

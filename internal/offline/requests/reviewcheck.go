package requests

import (
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/requestfile"
)

// checkReview returns an error for an AdmissionReview that no server sends.
func (m *Maker) checkReview(r *requestfile.Request) error {
	at, err := m.kinds.Resource(textOf(r.Review.Resource))
	if err != nil {
		return r.Wrap(fieldOf(r, "requestResource", "resource"), err)
	}
	if err := m.kinds.CheckSubresource(at.GroupVersionResource, r.Subresource); err != nil {
		return r.Wrap(fieldOf(r, "requestSubResource", "subResource"), err)
	}
	endpoint := endpointOf(at, r.Subresource)
	if err := m.checkReviewed(r, endpoint); err != nil {
		return err
	}
	return r.Wrap("namespace", checkNamespace(r, endpoint))
}

// checkReviewed returns an error for an operation or a kind that the endpoint
// does not take.
func (m *Maker) checkReviewed(r *requestfile.Request, at request.Endpoint) error {
	taken, body, ok := at.Takes()
	subresource := fieldOf(r, "requestSubResource", "subResource")
	path := pathText(at)
	switch {
	case at.Subresource == "" && r.Operation == admissionv1.Connect:
		return r.Wrap(subresource, fmt.Errorf("required: a CONNECT to %s needs a subresource", path))
	case at.Subresource == "":
		ok, body = r.Review.Kind == at.Kind, at.Kind
	case !ok:
		return r.Wrap(subresource, fmt.Errorf("%s have no subresource %q", at.Resource.GroupResource(), at.Subresource))
	case taken != r.Operation:
		return r.Wrap("operation", fmt.Errorf("requests to %s are %s, not %s", path, taken, r.Operation))
	default:
		// Older servers took older versions of a body.
		ok = m.kinds.Versions(r.Review.Kind, body)
	}
	if !ok {
		return r.Wrap(fieldOf(r, "requestKind", "kind"),
			fmt.Errorf("is %s, but %s take %s", kinds.Name(r.Review.Kind), path, kinds.Name(body)))
	}
	return nil
}

func checkNamespace(r *requestfile.Request, at request.Endpoint) error {
	resource := at.Resource.GroupResource()
	switch {
	case at.Namespaced && r.Namespace == "":
		return fmt.Errorf("required: %s are namespaced", resource)
	case at.Namespaced || r.Namespace == "":
		return nil
	case resource != schema.GroupResource{Resource: "namespaces"}:
		return fmt.Errorf("%q, but %s are cluster-scoped", r.Namespace, resource)
	case r.Namespace != r.Name:
		return fmt.Errorf("%q, but a request for a namespace has the name of that namespace, which is %q", r.Namespace, r.Name) // S-365
	default:
		return nil
	}
}

// fieldOf returns the name of the field with the client's value: original if
// the review has that field, and otherwise seen, the value for the webhook.
// Servers before v1.15 do not send the original.
func fieldOf(r *requestfile.Request, original, seen string) string {
	review, err := r.Document.Unstructured()
	if err != nil {
		return seen
	}
	if _, found, err := unstructured.NestedFieldNoCopy(review.Object, "request", original); err != nil || !found {
		return seen
	}
	return original
}

// textOf returns a resource in the form "deployments.v1.apps".
func textOf(at schema.GroupVersionResource) string {
	text := at.Resource + "." + at.Version
	if at.Group != "" {
		text += "." + at.Group
	}
	return text
}

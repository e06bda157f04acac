package requests

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/offline/kinds"
)

// pathOf returns the endpoint for an object of a kind. resource is for example
// "deployments.apps". If resource or subresource is empty, it is that of the
// kind.
func (m *Maker) pathOf(
	kind schema.GroupVersionKind, resource, subresource string,
) (request.Endpoint, error) {
	if resource != "" {
		found, err := m.kinds.Resource(resource)
		return endpointOf(found, subresource), err
	}
	found, err := m.kinds.Lookup(kind)
	body, bodySubresource, isBody := m.kinds.Body(kind)
	// A Binding may be a resource or the body of pods/binding.
	meansBody := subresource == bodySubresource || subresource == "" && err != nil
	switch {
	case !isBody || !meansBody:
		if err != nil {
			err = fmt.Errorf("kind: %w", err)
		}
		return endpointOf(found, subresource), err
	case body == "":
		return request.Endpoint{}, fmt.Errorf(
			"kind: several resources take a %s: name one, as in deployments.apps/%s",
			kind.Kind,
			bodySubresource,
		)
	}
	found, err = m.kinds.Resource(body)
	return endpointOf(found, bodySubresource), err
}

func endpointOf(r kinds.Resource, subresource string) request.Endpoint {
	return request.Endpoint{
		Resource:    r.GroupVersionResource,
		Kind:        r.Kind,
		Namespaced:  r.Namespaced,
		Subresource: subresource,
	}
}

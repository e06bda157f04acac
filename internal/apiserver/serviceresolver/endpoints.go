package serviceresolver

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	apiproxy "k8s.io/apiserver/pkg/util/proxy"
)

// withAddresses drops endpoints without an address, on which k8s.io/apiserver
// panics. kube-apiserver rejects them; this server does not validate
// EndpointSlices.
type withAddresses struct{ slices apiproxy.EndpointSliceGetter }

// GetEndpointSlices implements apiproxy.EndpointSliceGetter.
func (w withAddresses) GetEndpointSlices(
	namespace, service string,
) ([]*discoveryv1.EndpointSlice, error) {
	stored, err := w.slices.GetEndpointSlices(namespace, service)
	if err != nil {
		return nil, err
	}
	usable := make([]*discoveryv1.EndpointSlice, 0, len(stored))
	for _, slice := range stored {
		copied := *slice // the slice belongs to the informer
		copied.Endpoints = nil
		for _, endpoint := range slice.Endpoints {
			if len(endpoint.Addresses) > 0 {
				copied.Endpoints = append(copied.Endpoints, endpoint)
			}
		}
		usable = append(usable, &copied)
	}
	return usable, nil
}

package apiserver

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	apiproxy "k8s.io/apiserver/pkg/util/proxy"
	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// stored are the services and endpoints in the server, as its own informers know
// them.
type stored struct {
	services corelisters.ServiceLister
	slices   apiproxy.EndpointSliceGetter
}

func newStored(shared informers.SharedInformerFactory) (stored, error) {
	slices, err := apiproxy.NewEndpointSliceIndexerGetter(shared.Discovery().V1().EndpointSlices())
	if err != nil {
		return stored{}, fmt.Errorf("indexing the endpoints of services: %w", err)
	}
	return stored{shared.Core().V1().Services().Lister(), slices}, nil
}

// GetEndpointSlices implements apiproxy.EndpointSliceGetter. It leaves out endpoints
// without an address: nobody refuses to store them here, and k8s.io/apiserver relies
// on that.
func (s stored) GetEndpointSlices(namespace, service string) ([]*discoveryv1.EndpointSlice, error) {
	found, err := s.slices.GetEndpointSlices(namespace, service)
	if err != nil {
		return nil, err
	}
	usable := make([]*discoveryv1.EndpointSlice, 0, len(found))
	for _, slice := range found {
		usable = append(usable, withAddresses(slice))
	}
	return usable, nil
}

// withAddresses returns a slice of those endpoints that have an address. What it is
// given belongs to the informer.
func withAddresses(slice *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	kept := *slice
	kept.Endpoints = nil
	for _, endpoint := range slice.Endpoints {
		if len(endpoint.Addresses) > 0 {
			kept.Endpoints = append(kept.Endpoints, endpoint)
		}
	}
	return &kept
}

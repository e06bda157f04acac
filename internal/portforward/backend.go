package portforward

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/offline/resolve"
)

// backend is a port of a pod.
type backend struct {
	pod  types.NamespacedName
	port string
}

// backend returns the first pod, by name, that is ready for a port of a Service.
func (f *Forwarder) backend(ctx context.Context, s resolve.Service) (backend, error) {
	service, err := get[*corev1.Service](ctx,
		f.client.Get().Namespace(s.Namespace).Resource("services").Name(s.Name))
	if err != nil {
		return backend{}, err
	}
	name, err := portName(service, s.Port)
	if err != nil {
		return backend{}, err
	}
	slices, err := get[*discoveryv1.EndpointSliceList](ctx, f.client.Get().
		AbsPath("/apis", discoveryv1.GroupName, "v1", "namespaces", s.Namespace, "endpointslices").
		Param("labelSelector", discoveryv1.LabelServiceName+"="+s.Name))
	if err != nil {
		return backend{}, err
	}
	var first backend
	for i := range slices.Items {
		slice := &slices.Items[i]
		port := portOf(slice, name)
		for j := range slice.Endpoints {
			pod := readyPod(&slice.Endpoints[j])
			if port != "" && pod != "" && (first.port == "" || pod < first.pod.Name) {
				first = backend{types.NamespacedName{Namespace: s.Namespace, Name: pod}, port}
			}
		}
	}
	if first.port == "" {
		return backend{}, &unavailableError{"the service has no pod that is ready for port " + s.Port}
	}
	return first, nil
}

// get reads an object.
func get[T runtime.Object](ctx context.Context, request *rest.Request) (object T, err error) {
	answer, err := request.Do(ctx).Get()
	if err != nil {
		return object, err
	}
	object, ok := answer.(T)
	if !ok {
		return object, fmt.Errorf("the answer is a %T and not a %T: is this an API server?", answer, object)
	}
	return object, nil
}

// portName returns the name of a port of a Service, which may be empty.
func portName(service *corev1.Service, port string) (string, error) {
	for _, p := range service.Spec.Ports {
		protocol := cmp.Or(p.Protocol, corev1.ProtocolTCP)
		if protocol == corev1.ProtocolTCP && strconv.Itoa(int(p.Port)) == port {
			return p.Name, nil
		}
	}
	return "", &unavailableError{fmt.Sprintf("the service has no port %s", port)}
}

// portOf returns the port of the pods in a slice; "" if they do not have it.
func portOf(slice *discoveryv1.EndpointSlice, name string) string {
	for _, p := range slice.Ports {
		protocol := cmp.Or(valueOf(p.Protocol), corev1.ProtocolTCP)
		if protocol == corev1.ProtocolTCP && valueOf(p.Name) == name && p.Port != nil {
			return strconv.Itoa(int(*p.Port))
		}
	}
	return ""
}

func valueOf[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// readyPod returns the name of the pod of an endpoint; "" if it is not ready, or is no pod.
func readyPod(e *discoveryv1.Endpoint) string {
	ready := e.Conditions.Ready == nil || *e.Conditions.Ready
	if !ready || e.TargetRef == nil || e.TargetRef.Kind != "Pod" {
		return ""
	}
	return e.TargetRef.Name
}

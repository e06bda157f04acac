package builtin

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// address is reserved for documentation (RFC 5737).
const address = "192.0.2.1"

// hintNetwork sets networking objects.
func hintNetwork(part any) {
	switch p := part.(type) {
	case *corev1.ServiceSpec:
		p.Selector = labels()
		p.Ports = []corev1.ServicePort{{Port: 80, TargetPort: intstr.FromInt32(8080)}}
	case *networkingv1.IngressSpec:
		p.DefaultBackend = &networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{
			Name: word, Port: networkingv1.ServiceBackendPort{Number: 80},
		}}
	case *networkingv1.IngressClassSpec:
		p.Controller = "example.com/" + word
	case *networkingv1.IPAddress:
		p.Name = address
		p.Spec.ParentRef = &networkingv1.ParentReference{Resource: "services",
			Namespace: word, Name: word}
	case *networkingv1.ServiceCIDRSpec:
		p.CIDRs = []string{"192.0.2.0/24"}
	case *discoveryv1.EndpointSlice:
		p.AddressType = discoveryv1.AddressTypeIPv4
	case *discoveryv1.Endpoint:
		p.Addresses = []string{address}
	case *discoveryv1.EndpointPort:
		p.Name, p.Port = new("http"), new(int32(8080))
	}
}

package registry

import (
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilnet "k8s.io/apimachinery/pkg/util/net"
)

const (
	kubernetesService = "kubernetes"
	// kubernetesClusterIP is the first of serviceCIDR, as in a cluster.
	kubernetesClusterIP = "10.96.0.1"
)

// KubernetesService returns the Service "kubernetes", whose endpoint is the
// server itself at address, and its Endpoints and EndpointSlice. If the server
// listens on all addresses, the endpoint has an address that other machines can
// use. Compat: kube-apiserver publishes the address of the machine instead of a
// loopback address, even if it does not listen there.
func KubernetesService(address netip.AddrPort) []runtime.Object {
	ip, port := address.Addr().Unmap(), int32(address.Port())
	if ip.IsUnspecified() {
		ip = hostAddress()
	}
	family := discoveryv1.AddressTypeIPv4
	if ip.Is6() {
		family = discoveryv1.AddressTypeIPv6
	}
	meta := func(labels map[string]string) metav1.ObjectMeta {
		return metav1.ObjectMeta{
			Namespace: metav1.NamespaceDefault, Name: kubernetesService, Labels: labels,
		}
	}
	return []runtime.Object{
		newKubernetesService(meta(map[string]string{
			"component": "apiserver", "provider": kubernetesService,
		}), port),
		newKubernetesEndpoints(meta(map[string]string{discoveryv1.LabelSkipMirror: "true"}), ip, port),
		&discoveryv1.EndpointSlice{
			ObjectMeta:  meta(map[string]string{discoveryv1.LabelServiceName: kubernetesService}),
			AddressType: family,
			Endpoints: []discoveryv1.Endpoint{{
				Addresses:  []string{ip.String()},
				Conditions: discoveryv1.EndpointConditions{Ready: new(true)},
			}},
			Ports: []discoveryv1.EndpointPort{{
				Name: new("https"), Port: new(port), Protocol: new(corev1.ProtocolTCP),
			}},
		},
	}
}

// newKubernetesEndpoints is for old clients.
func newKubernetesEndpoints(meta metav1.ObjectMeta, ip netip.Addr, port int32) runtime.Object {
	//lint:ignore SA1019 kube-apiserver writes it, too.
	endpoints := &corev1.Endpoints{ObjectMeta: meta}
	//lint:ignore SA1019 It belongs to Endpoints.
	endpoints.Subsets = []corev1.EndpointSubset{{
		Addresses: []corev1.EndpointAddress{{IP: ip.String()}},
		Ports:     []corev1.EndpointPort{{Name: "https", Port: port, Protocol: corev1.ProtocolTCP}},
	}}
	return endpoints
}

func newKubernetesService(meta metav1.ObjectMeta, port int32) *corev1.Service {
	return &corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{
		Type: corev1.ServiceTypeClusterIP, ClusterIP: kubernetesClusterIP,
		ClusterIPs: []string{kubernetesClusterIP},
		Ports: []corev1.ServicePort{{
			Name: "https", Port: 443, Protocol: corev1.ProtocolTCP, TargetPort: intstr.FromInt32(port),
		}},
		SessionAffinity:       corev1.ServiceAffinityNone,
		InternalTrafficPolicy: new(corev1.ServiceInternalTrafficPolicyCluster),
	}}
}

// hostAddress returns the address of the machine in its network, and 127.0.0.1
// if it has none.
func hostAddress() netip.Addr {
	if found, err := utilnet.ChooseHostInterface(); err == nil {
		if ip, ok := netip.AddrFromSlice(found); ok {
			return ip.Unmap()
		}
	}
	return netip.AddrFrom4([4]byte{127, 0, 0, 1})
}

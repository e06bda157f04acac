package registry

import (
	"encoding/binary"
	"hash/fnv"
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// serviceCIDR is the range of generated ClusterIPs, kubeadm's default. Nothing
// routes to them.
const serviceCIDR = "10.96.0.0/12"

func prepareServiceForCreate(o runtime.Object) {
	service := o.(*corev1.Service)
	service.Status = corev1.ServiceStatus{}
	setClusterIP(service)
}

// prepareServiceForUpdate keeps the ClusterIP if the client does not send one.
func prepareServiceForUpdate(object, old runtime.Object) {
	service, before := object.(*corev1.Service), old.(*corev1.Service).Spec
	spec := &service.Spec
	if before.Type != corev1.ServiceTypeExternalName && spec.Type != corev1.ServiceTypeExternalName &&
		spec.ClusterIP == "" && len(spec.ClusterIPs) == 0 {
		spec.ClusterIP, spec.ClusterIPs = before.ClusterIP, before.ClusterIPs
	}
	setClusterIP(service)
}

// setClusterIP sets the ClusterIP, unless the client has chosen one, and the
// fields that belong to it. A service of type ExternalName has none.
func setClusterIP(service *corev1.Service) {
	spec := &service.Spec
	if spec.Type == corev1.ServiceTypeExternalName {
		return
	}
	if spec.ClusterIP == "" && len(spec.ClusterIPs) > 0 {
		spec.ClusterIP = spec.ClusterIPs[0]
	}
	if spec.ClusterIP == "" {
		spec.ClusterIP = clusterIPOf(service.UID)
	}
	if len(spec.ClusterIPs) == 0 {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
	if len(spec.IPFamilies) == 0 {
		spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	}
	if spec.IPFamilyPolicy == nil {
		spec.IPFamilyPolicy = new(corev1.IPFamilyPolicySingleStack)
	}
}

// clusterIPOf derives a ClusterIP from a UID. Unlike kube-apiserver's allocator
// it keeps no state, so two services may get the same address.
func clusterIPOf(uid types.UID) string {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(uid)) // never fails
	prefix := netip.MustParsePrefix(serviceCIDR)
	hosts := uint32(1)<<(32-prefix.Bits()) - 3 // without network, first and broadcast address
	ip := prefix.Addr().As4()
	first := binary.BigEndian.Uint32(ip[:]) + 2
	binary.BigEndian.PutUint32(ip[:], first+hash.Sum32()%hosts)
	return netip.AddrFrom4(ip).String()
}

package apiserver

import (
	"net/netip"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

func serviceOf(kind corev1.ServiceType, address string) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{GenerateName: "a-"}, Spec: corev1.ServiceSpec{
		Type: kind, ClusterIP: address, ExternalName: "a.example.com", Ports: []corev1.ServicePort{{Port: 80}},
	}}
}

// TestClusterIP checks which services get a ClusterIP.
func TestClusterIP(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		kind        corev1.ServiceType
		asked, want string
	}
	within := netip.MustParsePrefix("10.96.0.0/12")
	rows := []test{
		{row{"ordinary", "it looks as in a cluster"}, corev1.ServiceTypeClusterIP, "", "some"},
		{row{"node port", "it has one besides"}, corev1.ServiceTypeNodePort, "", "some"},
		{row{"headless", "it has no address on purpose"}, corev1.ServiceTypeClusterIP, "None", "None"},
		{row{"chosen", "the client may choose one"}, corev1.ServiceTypeClusterIP, "192.0.2.1", "192.0.2.1"},
		{row{"external", "it is only a name"}, corev1.ServiceTypeExternalName, "", ""},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		got := must[*corev1.Service](t)(typed(t, shared).CoreV1().Services(own(t)).Create(t.Context(), serviceOf(r.kind, r.asked), metav1.CreateOptions{})).Spec
		if address, err := netip.ParseAddr(got.ClusterIP); r.want == "some" && (err != nil || !within.Contains(address)) {
			t.Errorf("got %q, want one of %s", got.ClusterIP, within)
		} else if r.want != "some" && got.ClusterIP != r.want {
			t.Errorf("got %q, want %q", got.ClusterIP, r.want)
		}
		if r.want != "" && (got.ClusterIPs[0] != got.ClusterIP || got.IPFamilies[0] != corev1.IPv4Protocol) {
			t.Errorf("got %+v", got)
		}
	})
}

// TestClusterIPFollowsType: a service loses its ClusterIP when its type becomes
// ExternalName, and gets a new one when it becomes ClusterIP again.
func TestClusterIPFollowsType(t *testing.T) {
	t.Parallel()
	services, ctx, got := typed(t, shared).CoreV1().Services(own(t)), t.Context(), must[*corev1.Service](t)
	service := got(services.Create(ctx, serviceOf(corev1.ServiceTypeClusterIP, "192.0.2.3"), metav1.CreateOptions{}))
	service.Spec.Type, service.Spec.ClusterIP, service.Spec.ClusterIPs = corev1.ServiceTypeExternalName, "", nil
	service = got(services.Update(ctx, service, metav1.UpdateOptions{}))
	service.Spec.Type = corev1.ServiceTypeClusterIP
	if back := got(services.Update(ctx, service, metav1.UpdateOptions{})); back.Spec.ClusterIP == "" || back.Spec.ClusterIP == "192.0.2.3" {
		t.Errorf("got %q, want another", back.Spec.ClusterIP)
	}
}

package apiserver

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

func serviceOf(kind corev1.ServiceType, address string) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{GenerateName: "a-"}, Spec: corev1.ServiceSpec{
		Type: kind, ClusterIP: address, ExternalName: "a.example.com", Ports: []corev1.ServicePort{{Port: 80}},
	}}
}

// TestAddresses is about which services get one.
func TestAddresses(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		kind        corev1.ServiceType
		asked, want string
	}
	within := netip.MustParsePrefix(addressRange)
	rows := []test{
		{row{"ordinary", "it looks as in a cluster"}, corev1.ServiceTypeClusterIP, "", "some"},
		{row{"node port", "it has one besides"}, corev1.ServiceTypeNodePort, "", "some"},
		{row{"headless", "it has no address on purpose"}, corev1.ServiceTypeClusterIP, "None", "None"},
		{row{"asked", "who asks gets it"}, corev1.ServiceTypeClusterIP, "192.0.2.1", "192.0.2.1"},
		{row{"external", "it is but a name"}, corev1.ServiceTypeExternalName, "", ""},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		got := must[*corev1.Service](t)(typed(t, shared).CoreV1().Services(own(t)).Create(t.Context(), serviceOf(r.kind, r.asked), metav1.CreateOptions{})).Spec
		if address, err := netip.ParseAddr(got.ClusterIP); r.want == "some" && (err != nil || !within.Contains(address)) {
			t.Errorf("got %q, want one of %s", got.ClusterIP, addressRange)
		} else if r.want != "some" && got.ClusterIP != r.want {
			t.Errorf("got %q, want %q", got.ClusterIP, r.want)
		}
		if r.want != "" && (got.ClusterIPs[0] != got.ClusterIP || got.IPFamilies[0] != corev1.IPv4Protocol) {
			t.Errorf("got %+v", got)
		}
	})
}

// TestAddressTaken has a service ask for the address of another, until that is gone.
func TestAddressTaken(t *testing.T) {
	t.Parallel()
	services, ctx := typed(t, shared).CoreV1().Services(own(t)), t.Context()
	first := must[*corev1.Service](t)(services.Create(ctx, serviceOf(corev1.ServiceTypeClusterIP, "192.0.2.2"), metav1.CreateOptions{}))
	second := serviceOf(corev1.ServiceTypeClusterIP, "192.0.2.2")
	second.GenerateName, second.Name = "", "b"
	_, err := services.Create(ctx, second, metav1.CreateOptions{})
	wantInvalid(t, err, "b", `spec.clusterIPs: Invalid value: ["192.0.2.2"]: failed to allocate IP 192.0.2.2: provided IP is already allocated`)

	// What is deleted in vain keeps its address, what was created in vain gets none.
	dry := []string{metav1.DryRunAll}
	if err := services.Delete(ctx, first.Name, metav1.DeleteOptions{DryRun: dry}); err != nil {
		t.Fatal(err)
	}
	_, err = services.Create(ctx, second, metav1.CreateOptions{})
	wantReason(t, err, metav1.StatusReasonInvalid)
	if err := services.Delete(ctx, first.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	must[*corev1.Service](t)(services.Create(ctx, second, metav1.CreateOptions{DryRun: dry}))
	must[*corev1.Service](t)(services.Create(ctx, second, metav1.CreateOptions{}))
}

// TestAddressFollowsType: who becomes external gives the address away, and gets one
// when it comes back.
func TestAddressFollowsType(t *testing.T) {
	t.Parallel()
	services, ctx, got := typed(t, shared).CoreV1().Services(own(t)), t.Context(), must[*corev1.Service](t)
	service := got(services.Create(ctx, serviceOf(corev1.ServiceTypeClusterIP, "192.0.2.3"), metav1.CreateOptions{}))
	service.Spec.Type, service.Spec.ClusterIP, service.Spec.ClusterIPs = corev1.ServiceTypeExternalName, "", nil
	service = got(services.Update(ctx, service, metav1.UpdateOptions{}))
	got(services.Create(ctx, serviceOf(corev1.ServiceTypeClusterIP, "192.0.2.3"), metav1.CreateOptions{}))
	service.Spec.Type = corev1.ServiceTypeClusterIP
	if back := got(services.Update(ctx, service, metav1.UpdateOptions{})); back.Spec.ClusterIP == "" || back.Spec.ClusterIP == "192.0.2.3" {
		t.Errorf("got %q, want another", back.Spec.ClusterIP)
	}
}

// TestFreeAddresses goes over the end of the range, where it begins again behind
// the address of the API itself.
func TestFreeAddresses(t *testing.T) {
	t.Parallel()
	a := &addresses{taken: map[string]bool{"10.96.0.3": true}, last: netip.MustParseAddr("10.96.255.254")}
	var got []string
	for range 3 {
		free, ok := a.free()
		if !ok {
			t.Fatal("nothing is free")
		}
		got = append(got, free)
	}
	if diff := cmp.Diff([]string{"10.96.255.255", "10.96.0.2", "10.96.0.4"}, got); diff != "" {
		t.Errorf("addresses (-want, +got):\n%s", diff)
	}
}

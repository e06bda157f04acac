package apiserver

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	"k8s.io/client-go/kubernetes"
)

// authentication returns what the server publishes for aggregated servers.
func authentication(t *testing.T, client kubernetes.Interface) map[string]string {
	t.Helper()
	maps := client.CoreV1().ConfigMaps(metav1.NamespaceSystem)
	found := must[*corev1.ConfigMap](t)(maps.Get(t.Context(), "extension-apiserver-authentication", metav1.GetOptions{}))
	return found.Data
}

// TestInitialObjects changes what exists from the beginning, and starts the
// server again: it restores what is missing, keeps what was changed, and
// publishes its new certificate authorities.
func TestInitialObjects(t *testing.T) {
	t.Parallel()
	config := Config{DataDir: t.TempDir()}
	first := start(t, config)
	client := typed(t, first)
	published := authentication(t, client)
	schemas := client.FlowcontrolV1().FlowSchemas()
	schema := must[*flowcontrolv1.FlowSchema](t)(schemas.Get(t.Context(), "global-default", metav1.GetOptions{}))
	schema.Spec.MatchingPrecedence++
	must[*flowcontrolv1.FlowSchema](t)(schemas.Update(t.Context(), schema, metav1.UpdateOptions{}))
	levels := client.FlowcontrolV1().PriorityLevelConfigurations()
	if err := levels.Delete(t.Context(), "system", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	stop(t, first)

	client = typed(t, start(t, config))
	for key, value := range authentication(t, client) {
		isCA := key == "client-ca-file" || key == "requestheader-client-ca-file"
		if isCA == (published[key] == value) {
			t.Errorf("%s is %q now, and was %q", key, value, published[key])
		}
	}
	want := map[string]any{}
	for _, s := range append(bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas...) {
		want["schema "+s.Name] = s.Spec
	}
	want["schema global-default"] = schema.Spec
	for _, l := range append(bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations...) {
		want["level "+l.Name] = l.Spec
	}
	if diff := cmp.Diff(want, flowControl(t, client)); diff != "" {
		t.Errorf("flow control (-want, +got):\n%s", diff)
	}
}

// flowControl returns the specs of all objects of flow control.
func flowControl(t *testing.T, client kubernetes.Interface) map[string]any {
	t.Helper()
	found := map[string]any{}
	schemas := must[*flowcontrolv1.FlowSchemaList](t)(client.FlowcontrolV1().FlowSchemas().List(t.Context(), metav1.ListOptions{}))
	for _, s := range schemas.Items {
		found["schema "+s.Name] = s.Spec
	}
	levels := must[*flowcontrolv1.PriorityLevelConfigurationList](t)(client.FlowcontrolV1().PriorityLevelConfigurations().List(t.Context(), metav1.ListOptions{}))
	for _, l := range levels.Items {
		found["level "+l.Name] = l.Spec
	}
	return found
}

// TestKubernetesService: the server is an endpoint of the Service "kubernetes",
// also after it has started on another port.
func TestKubernetesService(t *testing.T) {
	t.Parallel()
	config := Config{DataDir: t.TempDir()}
	first := start(t, config)
	wantEndpoint(t, first)
	stop(t, first)
	wantEndpoint(t, start(t, config))
}

// TestPublishedObjectsAreReplaced: the server starts although it cannot update
// the objects that clients have made of its own.
func TestPublishedObjectsAreReplaced(t *testing.T) {
	t.Parallel()
	config := Config{DataDir: t.TempDir()}
	first := start(t, config)
	client := typed(t, first)
	maps := client.CoreV1().ConfigMaps(metav1.NamespaceSystem)
	published := must[*corev1.ConfigMap](t)(maps.Get(t.Context(), "extension-apiserver-authentication", metav1.GetOptions{}))
	published.Immutable = new(true)
	must[*corev1.ConfigMap](t)(maps.Update(t.Context(), published, metav1.UpdateOptions{}))

	meta := metav1.ObjectMeta{Name: "kubernetes", Finalizers: []string{"example.com/keep"}}
	services := client.CoreV1().Services("default")
	slices := client.DiscoveryV1().EndpointSlices("default")
	for _, remove := range []func(context.Context, string, metav1.DeleteOptions) error{services.Delete, slices.Delete} {
		if err := remove(t.Context(), meta.Name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	must[*corev1.Service](t)(services.Create(t.Context(), &corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{
		ClusterIP: "10.96.0.2", Ports: []corev1.ServicePort{{Port: 443}},
	}}, metav1.CreateOptions{}))
	must[*discoveryv1.EndpointSlice](t)(slices.Create(t.Context(), &discoveryv1.EndpointSlice{
		ObjectMeta: meta, AddressType: discoveryv1.AddressTypeIPv6,
	}, metav1.CreateOptions{}))
	stop(t, first)

	second := start(t, config)
	wantEndpoint(t, second)
	if authentication(t, typed(t, second))["client-ca-file"] == published.Data["client-ca-file"] {
		t.Error("the certificate authority is that of the first server")
	}
}

func wantEndpoint(t *testing.T, server *Server) {
	t.Helper()
	client, host := typed(t, server), server.ClientConfig().Host
	service := must[*corev1.Service](t)(client.CoreV1().Services("default").Get(t.Context(), "kubernetes", metav1.GetOptions{}))
	port := service.Spec.Ports[0]
	if service.Spec.ClusterIP != "10.96.0.1" || port.Name != "https" || port.Port != 443 {
		t.Errorf("got %+v", service.Spec)
	}
	//lint:ignore SA1019 Old clients read it.
	endpoints := must[*corev1.Endpoints](t)(client.CoreV1().Endpoints("default").Get(t.Context(), "kubernetes", metav1.GetOptions{}))
	subset := endpoints.Subsets[0]
	slice := must[*discoveryv1.EndpointSlice](t)(client.DiscoveryV1().EndpointSlices("default").Get(t.Context(), "kubernetes", metav1.GetOptions{}))
	for _, got := range []string{
		fmt.Sprintf("https://127.0.0.1:%s", port.TargetPort.String()),
		fmt.Sprintf("https://%s:%d", subset.Addresses[0].IP, subset.Ports[0].Port),
		fmt.Sprintf("https://%s:%d", slice.Endpoints[0].Addresses[0], *slice.Ports[0].Port),
	} {
		if got != host {
			t.Errorf("got %s, want %s", got, host)
		}
	}
}

// TestPriorityClasses are there from the start.
func TestPriorityClasses(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]int32{"system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000} {
		class := must[*schedulingv1.PriorityClass](t)(typed(t, shared).SchedulingV1().PriorityClasses().Get(t.Context(), name, metav1.GetOptions{}))
		if class.Value != value || class.GlobalDefault {
			t.Errorf("got %+v", class)
		}
	}
}

// TestBootstrapRoles: the roles that manifests refer to exist, and each role of
// a binding does.
func TestBootstrapRoles(t *testing.T) {
	t.Parallel()
	client := typed(t, shared).RbacV1()
	for _, name := range []string{"cluster-admin", "admin", "edit", "view", "system:auth-delegator", "system:discovery", "system:kube-scheduler"} {
		role := must[*rbacv1.ClusterRole](t)(client.ClusterRoles().Get(t.Context(), name, metav1.GetOptions{}))
		if role.Labels["kubernetes.io/bootstrapping"] != "rbac-defaults" {
			t.Errorf("%s has the labels %v", name, role.Labels)
		}
	}
	binding := must[*rbacv1.RoleBinding](t)(client.RoleBindings(metav1.NamespaceSystem).Get(t.Context(), "system::extension-apiserver-authentication-reader", metav1.GetOptions{}))
	must[*rbacv1.Role](t)(client.Roles(metav1.NamespaceSystem).Get(t.Context(), binding.RoleRef.Name, metav1.GetOptions{}))
}

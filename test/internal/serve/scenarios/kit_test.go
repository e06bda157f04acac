package scenarios_test

import (
	"context"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/testtable"
)

// world is what a scenario has to itself.
type world struct {
	*server
	// namespace is where the scenario takes place and where its service is. Its
	// name is its label as well; with "-markers" behind it, it is the name and
	// the label of the namespace of markers.
	namespace string
	webhooks  *process.Webhooks
	// shown counts the markers.
	shown int
}

func (w *world) markers() string { return w.namespace + "-markers" }

// newWorld has the webhooks of a namespace behind a Service and an
// EndpointSlice, as in a cluster, unless the command line knows them.
func newWorld(t *testing.T, s *server, namespace string) *world {
	t.Helper()
	w := &world{server: s, namespace: namespace, webhooks: s.routed}
	w.addNamespace(t, namespace, labels(namespace))
	w.addNamespace(t, w.markers(), labels(w.markers()))
	if namespace != routed {
		w.webhooks = webhooks(t, namespace)
		w.addService(t)
	}
	return w
}

func (w *world) addNamespace(t *testing.T, name string, labels map[string]string) {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
	must[*corev1.Namespace](t)(w.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}))
}

// labels has the names as keys, and true as each value.
func labels(names ...string) map[string]string {
	labels := map[string]string{}
	for _, name := range names {
		labels[name] = "true"
	}
	return labels
}

// addService returns when the service leads to the webhooks.
func (w *world) addService(t *testing.T) {
	t.Helper()
	created := must[*corev1.Service](t)(w.CoreV1().Services(w.namespace).Create(t.Context(), &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: service},
		Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: servicePort}}},
	}, metav1.CreateOptions{}))
	w.inForce(t, "services", created)
	host, port, err := net.SplitHostPort(w.webhooks.Address)
	if err != nil {
		t.Fatal(err)
	}
	number := must[uint64](t)(strconv.ParseUint(port, 10, 16))
	slice := must[*discoveryv1.EndpointSlice](t)(w.DiscoveryV1().EndpointSlices(w.namespace).Create(t.Context(), &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Name: service + "-1", Labels: map[string]string{discoveryv1.LabelServiceName: service}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: ptr.To(""), Port: ptr.To(int32(number))}}, //nolint:gosec // it has 16 bits
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{host}}},
	}, metav1.CreateOptions{}))
	w.inForce(t, "endpointslices", slice)
}

// data is that of configmaps and of custom resources.
type data = map[string]string

// entry is what the webhooks look at in data and labels.
const entry = "webhook-e2e-test"

// unwanted is what /configmaps and /custom-resource deny, as data and as
// labels.
func unwanted() data { return data{entry: "webhook-disallow"} }

// started is what the mutating webhooks add to.
func started() data { return data{"mutation-start": "yes"} }

// createMap creates a configmap in the scenario's namespace.
func (w *world) createMap(t *testing.T, name string, d data) (*corev1.ConfigMap, error) {
	t.Helper()
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: d}
	return w.CoreV1().ConfigMaps(w.namespace).Create(t.Context(), configMap, metav1.CreateOptions{})
}

// createAny is createMap for one that may have any name.
func (w *world) createAny(t *testing.T, d data) (*corev1.ConfigMap, error) {
	t.Helper()
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "any-"}, Data: d}
	return w.CoreV1().ConfigMaps(w.namespace).Create(t.Context(), configMap, metav1.CreateOptions{})
}

// eventually polls until the result is true.
func eventually(t *testing.T, what string, ask func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, 2*time.Minute, true, func(context.Context) (bool, error) { return ask(), nil })
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// isDenied reports whether a webhook denied.
func isDenied(err error) bool { return strings.Contains(testtable.Text(err), "denied") }

// wantNone fails the test if there is an error.
func wantNone(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// wantError fails the test unless there is an error that contains all parts.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if got := testtable.Text(err); !strings.Contains(got, part) {
			t.Errorf("got %q, want one that contains %q", got, part)
		}
	}
}

// wantData compares data with what there is: all of the keys, each with yes,
// and nothing else.
func wantData(t *testing.T, got data, keys ...string) {
	t.Helper()
	want := data{}
	for _, key := range keys {
		want[key] = "yes"
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("data (-want, +got):\n%s", diff)
	}
}

package integration_test

import (
	"io"
	"net"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/reviewtest"
)

// testAddresses is I-P: when the endpoint of a service moves, so do the calls,
// although there is an idle connection to where it was.
func testAddresses(t *testing.T, s *server) {
	namespace := s.namespace(t, "i-p")
	var called list
	serve := func(name string) *process.Webhooks {
		return process.ServeTLS(t, reviewtest.Answer(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
			called.add(name + " of " + r.Name)
			return &admissionv1.AdmissionResponse{Allowed: true}
		}), "webhook."+namespace+".svc")
	}
	before, after := serve("before"), serve("after")
	s.service(t, namespace, "webhook")
	s.endpoint(t, namespace, "webhook", before.Address)
	s.install(t, "validating", namespace, registrationv1.MutatingWebhook{
		Name: "admission.integration.test", Rules: on("pods", registrationv1.Create), NamespaceSelector: within(namespace),
		ClientConfig: registrationv1.WebhookClientConfig{
			Service:  &registrationv1.ServiceReference{Namespace: namespace, Name: "webhook", Port: new(int32(443))},
			CABundle: append(append([]byte{}, before.CA...), after.CA...),
		},
	})
	s.createPods(t, namespace, "warm-up", "pod-a")
	s.endpoint(t, namespace, "webhook", after.Address)
	s.createPods(t, namespace, "pod-b")
	want := []string{"before of warm-up", "before of pod-a", "after of pod-b"}
	if diff := cmp.Diff(want, called.take()); diff != "" {
		t.Errorf("called (-want, +got):\n%s", diff)
	}
}

// service creates a service with one port, and returns when it is known.
func (s *server) service(t *testing.T, namespace, name string) {
	t.Helper()
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 443}}},
	}
	created, err := s.CoreV1().Services(namespace).Create(t.Context(), service, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.awaitForce(t, "services/"+namespace+"/"+name, created.ResourceVersion)
}

// endpoint makes an address the only endpoint of a service, and returns when
// that is known.
func (s *server) endpoint(t *testing.T, namespace, service, address string) {
	t.Helper()
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	slice := &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Name: service, Labels: map[string]string{discoveryv1.LabelServiceName: service}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{host}}},
		Ports:       []discoveryv1.EndpointPort{{Name: new(""), Port: new(int32(port))}},
	}
	client := s.DiscoveryV1().EndpointSlices(namespace)
	written, err := client.Update(t.Context(), slice, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		written, err = client.Create(t.Context(), slice, metav1.CreateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	s.awaitForce(t, "endpointslices/"+namespace+"/"+service, written.ResourceVersion)
}

// relay forwards connections to an address. It returns its own address and a
// function that counts the connections.
func relay(t *testing.T, to string) (address string, accepted func() int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var count atomic.Int64
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return // it is closed
			}
			count.Add(1)
			go pass(connection, to)
		}
	}()
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String(), count.Load
}

// pass copies in both directions until one of the sides has enough.
func pass(from net.Conn, address string) {
	defer func() { _ = from.Close() }()
	to, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	go func() {
		defer func() { _ = to.Close() }()
		_, _ = io.Copy(to, from)
	}()
	_, _ = io.Copy(from, to)
}

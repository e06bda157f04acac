package forwardtest

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The port of each Service, its name, and the port of its pod.
const (
	port    = 443
	name    = "https"
	podPort = 9443
)

// Server is an API server in whose cluster each Service has one pod that is ready. The
// exported fields must not change after Start.
type Server struct {
	// Backend is the address that answers for all pods.
	Backend string
	// WebSocket accepts port-forwards by WebSocket; otherwise only by SPDY.
	WebSocket bool
	// Forbidden is the resource that the user may not use; "" for none.
	Forbidden string
	// Unready says that no pod is ready, Closed that no pod listens at its port, and
	// Portless that the EndpointSlices do not have the port.
	Unready, Closed, Portless bool
	// Hold delays port-forwards until it is closed; nil for no delay.
	Hold <-chan struct{}

	// URL is that of the server. Start sets it.
	URL string

	mu       sync.Mutex // guards the fields below
	requests []string
	// restarts counts the calls of Restart, and is the end of the name of each pod.
	restarts int
	// hijacked are the connections of port-forwards.
	hijacked []net.Conn
}

// Start starts the server until the test ends.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	server := httptest.NewUnstartedServer(s)
	server.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateHijacked {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.hijacked = append(s.hijacked, c)
		}
	}
	server.Start()
	t.Cleanup(func() {
		s.Restart()
		server.Close()
	})
	s.URL = server.URL
}

// Restart replaces all pods by others, which ends their port-forwards.
func (s *Server) Restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restarts++
	for _, c := range s.hijacked {
		_ = c.Close()
	}
	s.hijacked = nil
}

// Requests returns the requests so far, such as "GET /api/v1/namespaces/n/services/s".
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// pod returns the name of the pod of a Service that is ready.
func (s *Server) pod(service string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("%s-%d", service, s.restarts)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	s.mu.Unlock()
	parts := strings.Split(r.URL.Path, "/")
	last, before := parts[len(parts)-1], parts[len(parts)-2]
	service, _, _ := strings.Cut(before, "-")
	switch {
	case s.Forbidden != "" && slices.Contains(parts, s.Forbidden):
		refuse(w, apierrors.NewForbidden(schema.GroupResource{Resource: s.Forbidden}, last, nil))
	case last == "portforward" && before != s.pod(service):
		refuse(w, apierrors.NewNotFound(schema.GroupResource{Resource: "pods"}, before))
	case last == "portforward":
		s.forward(w, r)
	case last == "endpointslices":
		service = strings.TrimPrefix(r.URL.Query().Get("labelSelector"), discoveryv1.LabelServiceName+"=")
		answer(w, s.slices(service))
	case before != "services":
		http.NotFound(w, r)
	case last == "missing":
		refuse(w, apierrors.NewNotFound(schema.GroupResource{Resource: "services"}, last))
	default:
		answer(w, serviceNamed(last))
	}
}

func serviceNamed(of string) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: metav1.ObjectMeta{Name: of},
		Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{
			{Name: "quic", Port: port, Protocol: corev1.ProtocolUDP},
			{Name: "metrics", Port: 8080}, {Name: name, Port: port},
		}},
	}
}

func answer(w http.ResponseWriter, object any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(object) // the client reports it
}

func refuse(w http.ResponseWriter, err *apierrors.StatusError) {
	err.ErrStatus.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(err.ErrStatus.Code))
	_ = json.NewEncoder(w).Encode(err.ErrStatus) // the client reports it
}

// slices returns the endpoints of a Service: two that are no pods that are ready, and its
// pod.
func (s *Server) slices(service string) *discoveryv1.EndpointSliceList {
	pod := func(kind, name string, ready bool) discoveryv1.Endpoint {
		return discoveryv1.Endpoint{
			Conditions: discoveryv1.EndpointConditions{Ready: &ready},
			TargetRef:  &corev1.ObjectReference{Kind: kind, Name: name},
		}
	}
	ports := []discoveryv1.EndpointPort{
		{Name: new("metrics"), Port: new(int32(8080))}, {Name: new(name), Port: new(int32(podPort))},
	}
	if s.Portless {
		ports = ports[:1]
	}
	return &discoveryv1.EndpointSliceList{
		TypeMeta: metav1.TypeMeta{APIVersion: "discovery.k8s.io/v1", Kind: "EndpointSliceList"},
		Items: []discoveryv1.EndpointSlice{{
			Ports: ports,
			Endpoints: []discoveryv1.Endpoint{
				{}, pod("Node", "a", true), pod("Pod", "a-"+service, false),
				pod("Pod", s.pod(service), !s.Unready),
			},
		}},
	}
}

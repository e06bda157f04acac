package embedding

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/internal/certs"
)

// answer returns a webhook's response to a request. Nil is an internal error.
type answer func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

// hooks is a server of webhooks. Each has its own path.
type hooks struct {
	server   *httptest.Server
	caBundle []byte
	// certificate is the client certificate of servers under test, which they show
	// to the service certified.
	certificate tls.Certificate
	// open is how many connections clients have.
	open atomic.Int64

	mu      sync.Mutex
	answers map[string]answer
	// callers are what the last client of each path has shown of itself.
	callers map[string]string
}

// The services that lead to the server.
const (
	plainService     = "plain"
	certifiedService = "certified"
	// serviceNamespace is the namespace of all services.
	serviceNamespace = "webhooks"
)

var _ webhookutil.ServiceResolver = &hooks{}

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (h *hooks) ResolveEndpoint(namespace, name string, _ int32) (*url.URL, error) {
	if namespace == serviceNamespace && (name == plainService || name == certifiedService) {
		return url.Parse(h.server.URL)
	}
	return nil, fmt.Errorf("the service %s in %s has no endpoints", name, namespace)
}

func serveHooks(t *testing.T) *hooks {
	t.Helper()
	authority, err := certs.NewAuthority("embedding")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server("127.0.0.1", "*."+serviceNamespace+".svc")
	if err != nil {
		t.Fatal(err)
	}
	client, err := authority.Issue(certs.Leaf{CommonName: "kim", Client: true})
	if err != nil {
		t.Fatal(err)
	}
	clients := x509.NewCertPool()
	clients.AppendCertsFromPEM(authority.Bundle())
	h := &hooks{
		caBundle: authority.Bundle(), certificate: client, answers: map[string]answer{}, callers: map[string]string{},
	}
	h.server = httptest.NewUnstartedServer(h)
	h.server.TLS = &tls.Config{
		Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12,
		ClientAuth: tls.VerifyClientCertIfGiven, ClientCAs: clients,
	}
	h.server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			h.open.Add(1)
		case http.StateClosed, http.StateHijacked:
			h.open.Add(-1)
		}
	}
	h.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	h.server.StartTLS()
	t.Cleanup(h.server.Close)
	return h
}

// serve answers at a path until the test ends.
func (h *hooks) serve(t *testing.T, path string, a answer) {
	h.set(path, a)
	t.Cleanup(func() { h.set(path, nil) })
}

func (h *hooks) set(path string, a answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answers[path] = a
}

// callerOf describes the client of a request. Requests to a port that was
// chosen at random do not show it.
func (h *hooks) callerOf(r *http.Request) string {
	host := r.Host
	if host == h.server.Listener.Addr().String() {
		host = "hooks"
	}
	names := ""
	for _, c := range r.TLS.PeerCertificates {
		names += c.Subject.CommonName
	}
	return fmt.Sprintf("%s to %s, certificate of %s", r.Proto, host, cmp.Or(names, "no client"))
}

// caller returns how the webhook at a path was called.
func (h *hooks) caller(path string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.callers[path]
}

// ServeHTTP answers in the version of the review.
func (h *hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	a := h.answers[r.URL.Path]
	h.callers[r.URL.Path] = h.callerOf(r)
	h.mu.Unlock()
	review := &admissionv1.AdmissionReview{}
	err := json.NewDecoder(r.Body).Decode(review)
	if err != nil || review.Request == nil || a == nil {
		http.Error(w, fmt.Sprintf("no review, or no webhook at %s: %v", r.URL.Path, err), http.StatusBadRequest)
		return
	}
	response := a(review.Request)
	if response == nil {
		http.Error(w, "broken", http.StatusInternalServerError)
		return
	}
	response.UID = review.Request.UID
	w.Header().Set("Content-Type", "application/json")
	// A client that is gone shows in the scenario.
	_ = json.NewEncoder(w).Encode(&admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: response})
}

// broken fails.
func broken(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { return nil }

// allow admits.
func allow(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Allowed: true}
}

// deny denies with a message.
func deny(message string) answer {
	return func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: message, Code: http.StatusForbidden}}
	}
}

// patch changes the object.
func patch(operations string) answer {
	return func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		return &admissionv1.AdmissionResponse{
			Allowed: true, Patch: []byte(operations), PatchType: new(admissionv1.PatchTypeJSONPatch),
		}
	}
}

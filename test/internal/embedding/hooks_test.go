package embedding

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/certs"
)

// answer returns a webhook's response to a request.
type answer func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

// hooks is a server of webhooks. Each has its own path.
type hooks struct {
	server   *httptest.Server
	caBundle []byte
	// open is how many connections clients have.
	open atomic.Int64

	mu      sync.Mutex
	answers map[string]answer
}

func serveHooks(t *testing.T) *hooks {
	t.Helper()
	authority, err := certs.NewAuthority("embedding")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	h := &hooks{caBundle: authority.Bundle(), answers: map[string]answer{}}
	h.server = httptest.NewUnstartedServer(h)
	h.server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
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

// ServeHTTP answers in the version of the review.
func (h *hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	a := h.answers[r.URL.Path]
	h.mu.Unlock()
	review := &admissionv1.AdmissionReview{}
	err := json.NewDecoder(r.Body).Decode(review)
	if err != nil || review.Request == nil || a == nil {
		http.Error(w, fmt.Sprintf("no review, or no webhook at %s: %v", r.URL.Path, err), http.StatusBadRequest)
		return
	}
	response := a(review.Request)
	response.UID = review.Request.UID
	w.Header().Set("Content-Type", "application/json")
	// A client that is gone shows in the scenario.
	_ = json.NewEncoder(w).Encode(&admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: response})
}

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

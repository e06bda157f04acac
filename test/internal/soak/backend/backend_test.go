package backend_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/backend"
	"example.com/gatehouse/test/internal/soak/model"
	"example.com/gatehouse/test/internal/soak/request"
)

// TestBackend calls a webhook and replaces the authority of its certificate.
func TestBackend(t *testing.T) {
	t.Parallel()
	b, err := backend.Start([]string{"deny"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	old := b.ByURL().CABundle
	reaches := func(when string, bundle []byte, want bool) {
		t.Helper()
		said, err := ask(*b.ByURL().URL+model.Path(admission.Validating, "pods", 17), bundle)
		if (err == nil) != want || want && said.AuditAnnotations["revision-17"] == "" {
			t.Errorf("%s: got %v, %v", when, said, err)
		}
	}
	reaches("at first", old, true)
	if err := b.Announce(); err != nil {
		t.Fatal(err)
	}
	both := b.ByService().CABundle
	reaches("announced", old, true)
	reaches("announced", both, true)
	b.Switch()
	reaches("switched", old, false)
	reaches("switched", both, true)
	b.Retire()
	reaches("retired", b.ByURL().CABundle, true)
	if bundle := b.ByURL().CABundle; !bytes.HasSuffix(both, bundle) || len(bundle) >= len(both) {
		t.Error("the new authority is not trusted alone")
	}
	if n := b.Served(); n != 5 {
		t.Errorf("%d reviews were answered", n)
	}
	faulty := b.WithFault("deny")
	if said, err := ask(*faulty.URL, faulty.CABundle); err != nil || said.Allowed {
		t.Errorf("the fault: %v, %v", said, err)
	}
}

// TestUnknownFault refuses a name that no fault has.
func TestUnknownFault(t *testing.T) {
	t.Parallel()
	if _, err := backend.Start([]string{"denny"}); err == nil || !strings.Contains(err.Error(), `"denny"`) {
		t.Errorf("got %v", err)
	}
}

// ask sends a review over a new connection.
func ask(url string, bundle []byte) (*admissionv1.AdmissionResponse, error) {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	defer transport.CloseIdleConnections()
	body, err := json.Marshal(admissionv1.AdmissionReview{Request: &admissionv1.AdmissionRequest{UID: "1", Name: request.Named(1)}})
	if err != nil {
		return nil, err
	}
	answer, err := (&http.Client{Transport: transport}).Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	var review admissionv1.AdmissionReview
	err = json.Unmarshal(content, &review)
	return review.Response, err
}

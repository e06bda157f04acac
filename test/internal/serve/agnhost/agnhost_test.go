package agnhost_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/serve/agnhost"
)

type row = testtable.Row

// asked is a request and the expected response.
type asked struct {
	row
	path string
	// request are the fields of a request, in JSON.
	request string
	want    admissionv1.AdmissionResponse
}

// ask runs rows in both versions of reviews.
func ask(t *testing.T, rows []asked) {
	t.Helper()
	webhooks := agnhost.New("sidecar-image")
	testtable.Run(t, rows, func(t *testing.T, r asked) {
		for _, version := range []string{"admission.k8s.io/v1", "admission.k8s.io/v1beta1"} {
			t.Run(version, func(t *testing.T) { converse(t, webhooks, version, r) })
		}
	})
}

// converse has one review of a version answered. The answers of both versions
// look alike in JSON, but for the version.
func converse(t *testing.T, webhooks http.Handler, version string, r asked) {
	t.Helper()
	answered := post(t, webhooks, r.path, review(version, r.request))
	var got admissionv1.AdmissionReview
	if err := json.Unmarshal(answered.Body.Bytes(), &got); err != nil {
		t.Fatalf("status %d, %q: %v", answered.Code, answered.Body, err)
	}
	r.want.UID = "42"
	want := admissionv1.AdmissionReview{TypeMeta: metav1.TypeMeta{APIVersion: version, Kind: "AdmissionReview"}, Response: &r.want}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("review (-want, +got):\n%s", diff)
	}
	if kind := answered.Header().Get("Content-Type"); kind != "application/json" {
		t.Errorf("the content type is %q", kind)
	}
}

func review(version, request string) string {
	return `{"apiVersion":"` + version + `","kind":"AdmissionReview","request":{"uid":"42",` + request + `}}`
}

func post(t *testing.T, webhooks http.Handler, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	webhooks.ServeHTTP(w, r)
	return w
}

func allowed() admissionv1.AdmissionResponse { return admissionv1.AdmissionResponse{Allowed: true} }

func denied(message string) admissionv1.AdmissionResponse {
	return admissionv1.AdmissionResponse{Result: &metav1.Status{Message: message}}
}

func because(reason metav1.StatusReason) admissionv1.AdmissionResponse {
	return admissionv1.AdmissionResponse{Result: &metav1.Status{Reason: reason}}
}

func patched(patch string) admissionv1.AdmissionResponse {
	kind := admissionv1.PatchTypeJSONPatch
	return admissionv1.AdmissionResponse{Allowed: true, Patch: []byte(patch), PatchType: &kind}
}

func TestReady(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	agnhost.New("").ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", nil))
	if w.Code != http.StatusOK || w.Body.String() != "ok" {
		t.Errorf("got %d %q, want 200 and ok", w.Code, w.Body)
	}
}

package webhooks_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/examples/quickstart/webhooks"
)

const (
	// podReview is a review that every webhook accepts.
	podReview = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1",` +
		`"kind":{"group":"","version":"v1","kind":"Pod"},"object":{"metadata":{},"spec":{"containers":[]}}}}`
	// tooBig exceeds the limit of the webhooks.
	tooBig = 9 << 20
)

// TestBadRequests sends every row to every webhook: none may allow a request
// that it cannot decode.
func TestBadRequests(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, why                 string
		method, contentType, body string
		want                      string
	}{
		{
			name:   "GET",
			why:    "a user opens the address in a browser",
			method: http.MethodGet,
			want:   "cannot read the request: the method is GET, want POST",
		},
		{
			name:        "YAML",
			why:         "the API server sends JSON only",
			contentType: "application/yaml",
			body:        podReview,
			want:        `cannot read the request: the content type is "application/yaml", want application/json`,
		},
		{
			name:        "malformed content type",
			why:         "a header that cannot be parsed is not JSON either",
			contentType: "application/json; =",
			body:        podReview,
			want:        `cannot read the request: the content type is "application/json; =", want application/json`,
		},
		{
			name: "empty body",
			why:  "a proxy may have dropped it",
			want: "cannot read the request: decoding the body: unexpected end of JSON input",
		},
		{
			name: "garbage",
			why:  "the body is anything but JSON",
			body: "hello",
			want: "cannot read the request: decoding the body: invalid character 'h'",
		},
		{
			name: "oversized body",
			why:  "the size of a body is limited",
			body: strings.Repeat(" ", tooBig) + podReview,
			want: "cannot read the request: reading the body: http: request body too large",
		},
		{
			name: "older review version",
			why:  "the configuration offers v1 only",
			body: strings.Replace(podReview, "admission.k8s.io/v1", "admission.k8s.io/v1beta1", 1),
			want: `cannot read the request: the body is "admission.k8s.io/v1beta1, Kind=AdmissionReview", want "admission.k8s.io/v1, Kind=AdmissionReview"`,
		},
		{
			name: "no request",
			why:  "a review may hold an answer instead of a question",
			body: `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"1","allowed":true}}`,
			want: "cannot read the request: the review has no request",
		},
		{
			name: "another kind",
			why:  "the rules of a configuration may ask for more than the webhook knows",
			body: strings.Replace(podReview, `"kind":"Pod"`, `"kind":"Service"`, 1),
			want: `cannot read the object: the kind is "/v1, Kind=Service", want "/v1, Kind=Pod"`,
		},
		{
			name: "malformed pod",
			why:  "a field of the wrong type must not be taken for an empty one",
			body: strings.Replace(podReview, `"containers":[]`, `"containers":"none"`, 1),
			want: "cannot read the object: decoding a pod: json: cannot unmarshal string",
		},
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if row.why == "" || seen[row.name] {
			t.Fatalf("row %q: every row needs a unique name and a reason", row.name)
		}
		seen[row.name] = true
		for _, path := range paths() {
			t.Run(row.name+path, func(t *testing.T) {
				t.Parallel()
				request := httptest.NewRequest(orElse(row.method, http.MethodPost), path, strings.NewReader(row.body))
				request.Header.Set("Content-Type", orElse(row.contentType, "application/json; charset=utf-8"))
				recorder := httptest.NewRecorder()
				webhooks.Handler().ServeHTTP(recorder, request)
				if recorder.Code != http.StatusBadRequest || !strings.HasPrefix(recorder.Body.String(), row.want) {
					t.Errorf("got %d %q, want 400 %q: %s", recorder.Code, recorder.Body, row.want, row.why)
				}
			})
		}
	}
}

// TestNoObject sends every webhook a DELETE, which has no new object. The slow
// webhook must answer at once.
func TestNoObject(t *testing.T) {
	t.Parallel()
	for _, path := range paths() {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			got := ask(t.Context(), t, path, nil)
			want := &admissionv1.AdmissionResponse{UID: "some-uid", Allowed: true}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("response (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnknownPath(t *testing.T) {
	t.Parallel()
	recorder := post(t.Context(), "/elsewhere", []byte(podReview))
	if recorder.Code != http.StatusNotFound {
		t.Errorf("got status %d, want 404: %s", recorder.Code, recorder.Body)
	}
}

func paths() []string { return []string{"/label", "/inject", "/images", "/slow"} }

func orElse(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

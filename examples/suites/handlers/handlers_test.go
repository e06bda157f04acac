package handlers_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"example.com/gatehouse/examples/suites/handlers"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type row = testtable.Row

// TestRefuses sends requests that no API server sends, which suites therefore
// cannot contain.
func TestRefuses(t *testing.T) {
	t.Parallel()
	type refusal struct {
		row
		method, path, body string
		status             int
		says               string
	}
	const review = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"`
	testtable.Run(t, []refusal{
		{row{"nothing", "a probe that is misdirected"}, "POST", "/images", "", 400, "decoding the review"},
		{row{"another kind", "it must not be answered by chance"}, "POST", "/images", `{"apiVersion":"v1","kind":"Pod"}`, 400, "not \"admission.k8s.io/v1"},
		{row{"no request", "there is no uid to answer with"}, "POST", "/images", review + `}`, 400, "has no request"},
		{row{"bad object", "a guess would be worse than failurePolicy"}, "POST", "/sidecar", review + `,"request":{"object":{"spec":[]}}}`, 400, "decoding the object"},
		{row{"bad old object", "it decides what has changed"}, "POST", "/databases", review + `,"request":{"oldObject":{"spec":{"storage":"much"}}}}`, 400, "decoding the old object"},
		{row{"too long", "memory is not the client's to spend"}, "POST", "/images", strings.Repeat(" ", 9<<20), 400, "reading the body"},
		{row{"get", "browsers look around"}, "GET", "/images", "", 405, "Method Not Allowed"},
		{row{"nowhere", "a typo in a configuration has to be noticed"}, "POST", "/image", "", 404, "not found"},
		{row{"ready", "what probes ask"}, "GET", "/readyz", "", 200, ""},
	}, func(t *testing.T, tc refusal) {
		recorder := httptest.NewRecorder()
		request := httptest.NewRequestWithContext(t.Context(), tc.method, tc.path, strings.NewReader(tc.body))
		handlers.New("registry.example.com/").ServeHTTP(recorder, request)
		if got := recorder.Body.String(); recorder.Code != tc.status || !strings.Contains(got, tc.says) {
			t.Errorf("answered %d %q, want %d and %q", recorder.Code, got, tc.status, tc.says)
		}
	})
}

// TestMissingObjects sends requests without objects, as DELETE before v1.15:
// all webhooks allow them.
func TestMissingObjects(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/requests", "/sidecar", "/images", "/databases"} {
		body := `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"7","operation":"DELETE"}}`
		recorder := httptest.NewRecorder()
		handlers.New().ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body)))
		want := `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"7","allowed":true}}`
		if got := strings.TrimSpace(recorder.Body.String()); got != want {
			t.Errorf("%s answered %s, want %s", path, got, want)
		}
	}
}

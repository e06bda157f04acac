package agnhost_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/serve/agnhost"
)

// TestNoReview sends what cannot be answered as a review, A-00.
func TestNoReview(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		contentType, body string
		status            int
		want              string // how the answer begins; all of it if it is empty
	}
	const kind = "application/json"
	sound := review("admission.k8s.io/v1", `"operation":"CREATE"`)
	testtable.Run(t, []test{
		{row{"no content type", "it is looked at first"}, "", sound, http.StatusOK, ""},
		{row{"with charset", "it has to be the very same"}, kind + "; charset=utf-8", sound, http.StatusOK, ""},
		{row{"no JSON", "the words of the decoder follow"}, kind, "{", http.StatusBadRequest, "Request could not be decoded: "},
		{row{"empty", "there is no kind in it"}, kind, "", http.StatusBadRequest, "Request could not be decoded: "},
		{row{"unknown version", "the version is not registered"}, kind, review("admission.k8s.io/v2", ""), http.StatusBadRequest, "Request could not be decoded: "},
		{row{"another kind", "it can be read, and is no review"}, kind, `{"apiVersion":"v1","kind":"Pod"}`, http.StatusBadRequest,
			"Unsupported group version kind: /v1, Kind=Pod\n"},
		{row{"webhook configuration", "its group is no better than its neighbour's"}, kind,
			`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration"}`, http.StatusBadRequest,
			"Unsupported group version kind: admissionregistration.k8s.io/v1, Kind=ValidatingWebhookConfiguration\n"},
	}, func(t *testing.T, r test) {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/always-deny", strings.NewReader(r.body))
		request.Header.Set("Content-Type", r.contentType)
		w := httptest.NewRecorder()
		agnhost.New("").ServeHTTP(w, request)
		got := w.Body.String()
		if w.Code != r.status || !strings.HasPrefix(got, r.want) || r.want == "" && got != "" {
			t.Errorf("got %d %q, want %d %q", w.Code, got, r.status, r.want)
		}
	})
}

// TestNoRequest ends the connection, by a panic, in both versions.
func TestNoRequest(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		version string
	}
	testtable.Run(t, []test{
		{row{"v1", "there is no uid to answer with"}, "v1"},
		{row{"v1beta1", "it is missed before that"}, "v1beta1"},
	}, func(t *testing.T, r test) {
		defer func() {
			if recover() == nil {
				t.Error("there was an answer")
			}
		}()
		post(t, agnhost.New(""), "/always-deny", `{"apiVersion":"admission.k8s.io/`+r.version+`","kind":"AdmissionReview"}`)
	})
}

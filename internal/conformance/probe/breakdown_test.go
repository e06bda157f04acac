package probe_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type breakdownCase struct {
	testtable.Row
	http2   bool
	handler http.HandlerFunc
	want    string
}

// TestBreakdown has real servers, each of which shows a panic in its own way.
func TestBreakdown(t *testing.T) {
	t.Parallel()
	const off = "the webhook broke off without an answer, as after a panic: "
	aborts := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	halfway := func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Length", "100")
		_, _ = fmt.Fprint(out, "{")
		http.NewResponseController(out).Flush()
		panic(http.ErrAbortHandler)
	}
	testtable.Run(t, []breakdownCase{
		{testtable.Row{"HTTP/1.1", "the connection ends"}, false, aborts, off},
		{testtable.Row{"HTTP/2", "the stream ends"}, true, aborts, off},
		{testtable.Row{"halfway", "the answer ends too early"}, false, halfway, off},
		{testtable.Row{"halfway in HTTP/2", "so does this one"}, true, halfway, off},
		{testtable.Row{"HTTP 500", "the server writes a page"}, false, func(out http.ResponseWriter, _ *http.Request) {
			http.Error(out, "oops", http.StatusInternalServerError)
		}, "the webhook broke down: HTTP 500 without an AdmissionReview that has a response"},
		{testtable.Row{"HTTP 503", "it is not there, which is no panic"}, false, func(out http.ResponseWriter, _ *http.Request) {
			http.Error(out, "later", http.StatusServiceUnavailable)
		}, ""},
		{testtable.Row{"good", "an answer is none"}, false, probetest.Good().ServeHTTP, ""},
	}, func(t *testing.T, tc breakdownCase) {
		server := httptest.NewUnstartedServer(tc.handler)
		server.EnableHTTP2 = tc.http2
		server.StartTLS()
		defer server.Close()
		hook := probetest.Mutating("a", "/", func(w *registrationv1.MutatingWebhook) { w.ClientConfig.URL = &server.URL })
		c := probetest.New(t, probetest.Good(), []runtime.Object{hook}, probetest.Pod(admissionv1.Create))
		w := c.Webhooks[0]
		x := w.Do(t.Context(), probe.RawRequest{Review: w.Exchanges[0].ReviewCopy(), Client: server.Client()})
		if got := x.Breakdown(); !strings.HasPrefix(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q; error %v", tc.Why(), got, tc.want, x.Err)
		}
	})
}

package probe_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// asked is what a webhook sees of a request.
type asked struct{ Method, Type, Timeout, Body string }

type askRow struct {
	testtable.Row
	ask  probe.RawRequest
	want asked
}

func TestAsk(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []askRow{
		{testtable.Row{"defaults", "what is not said is as kube-apiserver does it"},
			probe.RawRequest{}, asked{"POST", "application/json", "10s", ""}},
		{testtable.Row{"review", "a review is the body, whatever else is given"},
			probe.RawRequest{Review: probe.Review{"kind": "x"}, Body: []byte("y")}, asked{"POST", "application/json", "10s", `{"kind":"x"}`}},
		{testtable.Row{"body", "a body need not be a review"},
			probe.RawRequest{Body: []byte("y"), ContentType: "text/plain"}, asked{"POST", "text/plain", "10s", "y"}},
		{testtable.Row{"nothing", "a GET has no content that could have a type"},
			probe.RawRequest{Method: http.MethodGet, ContentType: "-"}, asked{"GET", "", "10s", ""}},
		{testtable.Row{"timeout", "the webhook is told what it is given"},
			probe.RawRequest{Timeout: 30 * time.Second}, asked{"POST", "application/json", "30s", ""}},
	}, func(t *testing.T, tc askRow) {
		var got asked
		w := webhook(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			body := make([]byte, 64)
			n, _ := r.Body.Read(body)
			got = asked{r.Method, r.Header.Get("Content-Type"), r.URL.Query().Get("timeout"), string(body[:n])}
		}))
		x := w.Do(t.Context(), tc.ask)
		if x.Err != nil || x.Status != http.StatusOK || string(x.Sent) != tc.want.Body {
			t.Errorf("got status %d, error %v, sent %q", x.Status, x.Err, x.Sent)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("what was asked (-want +got):\n%s", diff)
		}
	})
}

type outcomeRow struct {
	testtable.Row
	answer http.HandlerFunc
	wait   time.Duration
	want   string
}

func TestOutcome(t *testing.T) {
	t.Parallel()
	saying := func(response map[string]any) http.HandlerFunc {
		return func(out http.ResponseWriter, _ *http.Request) {
			probetest.Write(out, map[string]any{"response": response})
		}
	}
	never := func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		panic(http.ErrAbortHandler) // an answer might still be heard
	}
	slow := func(out http.ResponseWriter, r *http.Request) {
		time.Sleep(1100 * time.Millisecond)
		probetest.Good().ServeHTTP(out, r)
	}
	testtable.Run(t, []outcomeRow{
		{testtable.Row{"yes", "it is what most are"}, saying(map[string]any{"allowed": true}), time.Minute, "a yes"},
		{testtable.Row{"no", "a denial is an answer"}, saying(map[string]any{"allowed": false}), time.Minute, "a no"},
		{testtable.Row{"neither", "it is no denial, although it counts as one"}, saying(map[string]any{}), time.Minute, "an answer that is neither yes nor no"},
		{testtable.Row{"no review", "the status says the most then"}, http.NotFound, time.Minute, "HTTP 404 without an AdmissionReview that has a response"},
		{testtable.Row{"late", "it has a second more than it was told"}, never, 0, "no answer within 1ms"},
		{testtable.Row{"patient", "a longer wait tells a slow webhook from a silent one"}, slow, time.Minute, "a yes"},
		{testtable.Row{"impatient", "or shorter"}, never, 2 * time.Millisecond, "no answer within 2ms"},
	}, func(t *testing.T, tc outcomeRow) {
		x := webhook(t, tc.answer).Do(t.Context(), probe.RawRequest{Review: probe.Review{}, Timeout: time.Millisecond, Wait: tc.wait})
		if got := x.Outcome(); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	})
}

func TestAgain(t *testing.T) {
	t.Parallel()
	c := probetest.New(t, probetest.Good(), []runtime.Object{probetest.Mutating("defaults", "/")}, probetest.Pod(admissionv1.Create))
	x := c.Webhooks[0].Exchanges[0]
	x.ReviewCopy().SetObject("changed", "metadata", "name")
	if diff := cmp.Diff(string(x.Sent), string(x.ReviewCopy().Bytes())); diff != "" {
		t.Errorf("a copy was changed, and the review with it:\n%s", diff)
	}
}

// webhook returns the one webhook that the handler is. It has met nothing.
func webhook(t *testing.T, handler http.Handler, change ...func(*registrationv1.MutatingWebhook)) *probe.Webhook {
	t.Helper()
	return probetest.New(t, handler, []runtime.Object{probetest.Mutating("defaults", "/", change...)}).Webhooks[0]
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, tc := range testtable.Checked(t, []cutRow{
		{testtable.Row{"as much as is read", "it has been read to its end"}, 8 << 20, false},
		{testtable.Row{"more", "the rest is unknown"}, 8<<20 + 1, true},
	}) {
		t.Run(tc.Name(), func(t *testing.T) {
			x := webhook(t, http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
				_, _ = out.Write(make([]byte, tc.bytes))
			})).Do(t.Context(), probe.RawRequest{Review: probe.Review{}, Timeout: time.Minute})
			if x.Truncated != tc.want {
				t.Errorf("of a body of %d bytes, %d are kept", tc.bytes, len(x.Body))
			}
		})
	}
}

type cutRow struct {
	testtable.Row
	bytes int
	want  bool
}

package misuse

import (
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func TestMain(m *testing.M) { leaktest.Main(m) }

// hook is a webhook that rejects whatever it should. Fields that are set do
// something else in place of that.
type hook struct {
	method, contentType, empty, garbage, version http.HandlerFunc
	// answer changes the response to a good review.
	answer func(review probe.Review, response map[string]any)
	// chokes has good reviews rejected, too.
	chokes func(review probe.Review) bool
	// before sees every request, and may answer it itself.
	before func(out http.ResponseWriter, r *http.Request) (done bool)
}

func (h hook) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	if h.before != nil && h.before(out, r) {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var review probe.Review
	decoding := utiljson.Unmarshal(body, (*map[string]any)(&review))
	switch {
	case r.Method != http.MethodPost:
		reject(h.method, http.StatusMethodNotAllowed)(out, r)
	case r.Header.Get("Content-Type") != "application/json":
		reject(h.contentType, http.StatusUnsupportedMediaType)(out, r)
	case len(body) == 0:
		reject(h.empty, http.StatusBadRequest)(out, r)
	case decoding != nil || review.UID() == "":
		reject(h.garbage, http.StatusBadRequest)(out, r)
	case review.Version() != probe.V1:
		reject(h.version, http.StatusBadRequest)(out, r)
	case h.chokes != nil && h.chokes(review):
		out.WriteHeader(http.StatusBadRequest)
	default:
		h.respond(out, review)
	}
}

func (h hook) respond(out http.ResponseWriter, review probe.Review) {
	response := map[string]any{"uid": review.UID(), "allowed": true}
	if h.answer != nil {
		h.answer(review, response)
	}
	probetest.Write(out, map[string]any{"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response})
}

func reject(instead http.HandlerFunc, status int) http.HandlerFunc {
	if instead != nil {
		return instead
	}
	return func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(status) }
}

// The ways in which a webhook may answer what it should reject.
func yes(out http.ResponseWriter, _ *http.Request)     { say(out, map[string]any{"allowed": true}) }
func no(out http.ResponseWriter, _ *http.Request)      { say(out, map[string]any{"allowed": false}) }
func neither(out http.ResponseWriter, _ *http.Request) { say(out, map[string]any{}) }
func crash(http.ResponseWriter, *http.Request)         { panic(http.ErrAbortHandler) }
func ok(http.ResponseWriter, *http.Request)            {}

func sick(out http.ResponseWriter, _ *http.Request) {
	out.WriteHeader(http.StatusInternalServerError)
}

func say(out http.ResponseWriter, response map[string]any) {
	probetest.Write(out, map[string]any{"response": response})
}

// stumbling fails the request after one that is like bad.
func stumbling(bad func(*http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
	var down atomic.Bool
	return func(out http.ResponseWriter, r *http.Request) bool {
		if down.Swap(bad(r)) {
			sick(out, r)
			return true
		}
		return false
	}
}

// everything is all that can be asked about a pod.
func everything() []*admission.Request {
	return []*admission.Request{
		probetest.Pod(admissionv1.Create), probetest.Pod(admissionv1.Update),
		probetest.Pod(admissionv1.Delete), probetest.Pod(admissionv1.Connect),
	}
}

// meet returns the one webhook that the handler is.
func meet(t *testing.T, handler http.Handler, requests []*admission.Request) *probe.Webhook {
	t.Helper()
	configurations := []runtime.Object{probetest.Mutating("defaults", "/defaults")}
	return probetest.New(t, handler, configurations, requests...).Webhooks[0]
}

// results runs all checks of this package.
func results(t *testing.T, w *probe.Webhook) map[string]report.Result {
	t.Helper()
	all := map[string]report.Result{}
	for _, c := range Checks() {
		r := &check.Record{}
		c.Run(t.Context(), w, r)
		all[c.ID] = r.Result(&c, w.FullName())
	}
	return all
}

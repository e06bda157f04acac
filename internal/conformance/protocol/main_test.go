package protocol

import (
	"net/http"
	"regexp"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// seen is one webhook, as one check sees it.
type seen struct {
	row
	id       string
	webhook  runtime.Object
	handler  http.Handler
	requests []*admission.Request

	verdict report.Verdict
	// message is that of the first finding, or else of the result.
	message string
}

// run holds a check to what it says, and the others to saying nothing: one
// cause, one finding. Where no check says that requests fail, the engine has to
// agree.
func (s seen) run(t *testing.T) {
	c := s.meet(t)
	found, fatal := false, false
	for _, one := range Checks() {
		result := look(t, &one, c.Webhooks[0])
		failed := result.Verdict == report.Fail
		fatal = fatal || failed && one.Level == report.Must
		if one.ID == s.id {
			found = true
			s.compare(t, result)
		} else if failed {
			t.Errorf("%s fails too: %s", one.ID, result.Findings[0].Message)
		}
	}
	if !found {
		t.Errorf("there is no check %s", s.id)
	}
	if !fatal {
		s.answered(t, c)
	}
}

// answered takes the requests through the engine, with answers as they are, and
// fails if a call does.
func (s seen) answered(t *testing.T, c *probe.Collection) {
	t.Helper()
	list, err := source.Fixed(c.Configurations)
	if err != nil {
		t.Fatal(err)
	}
	// kube-apiserver has no limit.
	unlimited := limits.Limits{ResponseBody: 16 << 20}
	engine, err := dispatcher.New(dispatcher.Config{Source: list, Client: c.InsecureClient, Namespaces: c.Namespaces, Limits: unlimited})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.requests {
		response, err := simulate.Request(t.Context(), engine, r, c.Objects)
		if err != nil {
			t.Fatal(err)
		}
		if response.Status != nil && response.Status.Code == http.StatusInternalServerError {
			t.Errorf("no check says that requests fail, and the %s does: %s", r.Operation, response.Status.Message)
		}
	}
}

// meet returns the webhook and what it has met.
func (s seen) meet(t *testing.T) *probe.Collection {
	t.Helper()
	c := probetest.New(t, s.handler, []runtime.Object{probetest.Widgets(), probetest.Gadgets(), s.webhook}, s.requests...)
	if why := c.Webhooks[0].Unreachable; why != nil {
		t.Fatalf("the webhook cannot be reached: %v", why)
	}
	return c
}

// look returns what a check says of a webhook.
func look(t *testing.T, one *check.Check, w *probe.Webhook) report.Result {
	t.Helper()
	r := &check.Record{}
	one.Run(t.Context(), w, r)
	return r.Result(one, "")
}

// look returns what the check alone says.
func (s seen) look(t *testing.T) report.Result {
	t.Helper()
	for _, one := range Checks() {
		if one.ID == s.id {
			return look(t, &one, s.meet(t).Webhooks[0])
		}
	}
	t.Fatalf("there is no check %s", s.id)
	return report.Result{}
}

// uids are another one in every review.
var uids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

func (s seen) compare(t *testing.T, got report.Result) {
	t.Helper()
	message := got.Message
	if len(got.Findings) > 0 {
		message = got.Findings[0].Message
		if len(got.Findings[0].Evidence) != 1 {
			t.Errorf("%d exchanges are evidence, want 1", len(got.Findings[0].Evidence))
		}
	}
	message = uids.ReplaceAllString(message, "UID")
	if got.Verdict != s.verdict || message != s.message {
		t.Errorf("got  %s %q\nwant %s %q", got.Verdict, message, s.verdict, s.message)
	}
}

func runAll(t *testing.T, rows []seen) {
	t.Helper()
	testtable.Run(t, rows, func(t *testing.T, s seen) { s.run(t) })
}

// mutating and validating are the webhook that is looked at, in these versions.
func mutating(versions ...string) runtime.Object {
	return probetest.Mutating("hook", "/", func(w *registrationv1.MutatingWebhook) {
		if len(versions) > 0 {
			w.AdmissionReviewVersions = versions
		}
	})
}

func validating(versions ...string) runtime.Object {
	return probetest.Validating("hook", "/", func(w *registrationv1.ValidatingWebhook) {
		if len(versions) > 0 {
			w.AdmissionReviewVersions = versions
		}
	})
}

// pods are requests for a pod.
func pods(operations ...admissionv1.Operation) []*admission.Request {
	requests := make([]*admission.Request, len(operations))
	for i, operation := range operations {
		requests[i] = probetest.Pod(operation)
	}
	return requests
}

// one is enough where all requests are the same to a check.
func one() []*admission.Request { return pods(admissionv1.Create) }

// good is a webhook that nothing is wrong with.
func good() http.Handler { return probetest.Good() }

// sets is a webhook that writes something into each response; nil takes it out.
func sets(field string, value any) http.Handler {
	return probetest.Handler(func(_ probe.Review, response map[string]any) { set(response, field, value) })
}

func set(in map[string]any, field string, value any) {
	if value == nil {
		delete(in, field)
		return
	}
	in[field] = value
}

// silentAt is a webhook that breaks down at some of the reviews.
func silentAt(some func(probe.Review) bool) http.Handler {
	return probetest.Handler(func(review probe.Review, _ map[string]any) {
		if some(review) {
			panic(http.ErrAbortHandler)
		}
	})
}

// writes is a webhook that answers with a yes, after change has changed the
// header and the review around the response. change may write the status.
func writes(change func(out http.ResponseWriter, review map[string]any)) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		asked, err := probetest.Read(r)
		if err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		answer := map[string]any{
			"apiVersion": asked["apiVersion"], "kind": asked["kind"],
			"response": map[string]any{"uid": asked.UID(), "allowed": true},
		}
		out.Header().Set("Content-Type", "application/json")
		change(out, answer)
		probetest.Write(out, answer)
	})
}

// says is a webhook that always answers the same.
func says(status int, body string) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "application/json")
		out.WriteHeader(status)
		_, _ = out.Write([]byte(body)) // the client may have disconnected
	})
}

func TestDefinitionsAreComplete(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	for _, c := range Checks() {
		if ids[c.ID] {
			t.Errorf("%s is there twice", c.ID)
		}
		ids[c.ID] = true
		if c.Group != report.Protocol || c.Level == "" || c.Title == "" || c.Why == "" || c.Fix == "" {
			t.Errorf("%s lacks something: %+v", c.ID, c.Check)
		}
	}
	if len(ids) != 22 {
		t.Errorf("%d checks, want 22", len(ids))
	}
}

package integration_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// slowHook is a webhook that takes its time.
type slowHook struct {
	// path ends in the time.
	path    string
	policy  registrationv1.FailurePolicyType
	seconds int32
}

// slowCall is a call of a slowHook.
type slowCall struct {
	path string
	// seconds is the timeout of the call; in a row, what it is if only webhooks take time.
	seconds int
	// arrived is when the webhook received it.
	arrived time.Time
}

// timeoutRow has a pod created by a client that has so many seconds.
type timeoutRow struct {
	row
	seconds    int
	mutating   []slowHook
	validating []slowHook
	// called are the webhooks and how much time they were given: mutating ones as they are
	// called, the others by path.
	called []slowCall
	// wants are texts, one of which is in the error; nil for no error.
	wants []string
}

func timeoutRows() []timeoutRow {
	const fail, ignore = registrationv1.Fail, registrationv1.Ignore
	return []timeoutRow{
		{
			row{"I-T1", "a webhook has its own time, and no more than the request"}, 25,
			[]slowHook{{"/mutating/1/0s", fail, 30}, {"/mutating/2/0s", fail, 20}},
			[]slowHook{{"/validating/3/0s", fail, 30}, {"/validating/4/0s", fail, 20}},
			[]slowCall{
				{path: "/mutating/1/0s", seconds: 25}, {path: "/mutating/2/0s", seconds: 20},
				{path: "/validating/3/0s", seconds: 25}, {path: "/validating/4/0s", seconds: 20},
			}, nil,
		},
		{
			row{"I-T2", "what one webhook takes, the next ones do not have"}, 25,
			[]slowHook{{"/mutating/1/1s", fail, 30}, {"/mutating/2/1s", fail, 20}, {"/mutating/3/1s", fail, 30}},
			[]slowHook{{"/validating/4/1s", fail, 20}, {"/validating/5/1s", fail, 25}, {"/validating/6/1s", fail, 30}},
			[]slowCall{
				{path: "/mutating/1/1s", seconds: 25}, {path: "/mutating/2/1s", seconds: 20}, {path: "/mutating/3/1s", seconds: 23},
				{path: "/validating/4/1s", seconds: 20}, {path: "/validating/5/1s", seconds: 22}, {path: "/validating/6/1s", seconds: 22},
			}, nil,
		},
		{
			row{"I-T3", "when the request has ended, no other webhook is called"}, 10,
			[]slowHook{{"/mutating/1/15s", ignore, 12}, {"/mutating/2/1s", ignore, 12}, {"/mutating/3/1s", ignore, 12}}, nil,
			[]slowCall{{path: "/mutating/1/15s", seconds: 10}},
			// It depends on which part of the server looks at its clock first.
			[]string{"request did not complete within requested timeout", "the server was unable to return a response in the time allotted", "stream error"},
		},
	}
}

// testTimeouts is I-T.
func testTimeouts(t *testing.T, s *server) {
	testtable.Run(t, timeoutRows(), func(t *testing.T, r timeoutRow) { r.check(t, s) })
}

func (r timeoutRow) check(t *testing.T, s *server) {
	namespace := s.namespace(t, strings.ToLower(r.Name()))
	var called slowCalls
	hooks := process.ServeTLS(t, &called)
	s.install(t, "mutating", namespace, r.webhooks(hooks, namespace, r.mutating)...)
	s.install(t, "validating", namespace, r.webhooks(hooks, namespace, r.validating)...)
	begin := time.Now()
	post := s.CoreV1().RESTClient().Post().Namespace(namespace).Resource("pods").Param("timeout", fmt.Sprintf("%ds", r.seconds))
	r.checkError(t, post.Body(pod("pod")).Do(t.Context()).Error())
	r.checkCalls(t, begin, called.take())
}

// checkCalls compares the calls with those of the row. The server ends the request after
// the seconds of the row: the slower the machine, the less is left of them for a call.
func (r timeoutRow) checkCalls(t *testing.T, begin time.Time, got []slowCall) {
	t.Helper()
	// Those of the validating phase are called at the same time.
	slices.SortStableFunc(got, func(a, b slowCall) int {
		if strings.HasPrefix(a.path, "/validating") && strings.HasPrefix(b.path, "/validating") {
			return strings.Compare(a.path, b.path)
		}
		return 0
	})
	if len(got) != len(r.called) {
		t.Fatalf("the webhooks called are %v, want %v", got, r.called)
	}
	for i, want := range r.called {
		least := min(want.seconds, r.seconds-int(got[i].arrived.Sub(begin)/time.Second))
		if got[i].path != want.path || got[i].seconds > want.seconds || got[i].seconds < least {
			t.Errorf("call %d: got %v, want %s with %d to %d seconds", i, got[i], want.path, least, want.seconds)
		}
	}
}

func (r timeoutRow) checkError(t *testing.T, err error) {
	t.Helper()
	if err == nil && r.wants == nil {
		return
	}
	text := testtable.Text(err)
	if !slices.ContainsFunc(r.wants, func(want string) bool { return strings.Contains(text, want) }) {
		t.Errorf("got error %q, want one of %q in it", text, r.wants)
	}
}

// webhooks are those of a phase, for pods of a namespace.
func (timeoutRow) webhooks(w *process.Webhooks, namespace string, hooks []slowHook) []registrationv1.MutatingWebhook {
	var webhooks []registrationv1.MutatingWebhook
	for i, h := range hooks {
		webhooks = append(webhooks, registrationv1.MutatingWebhook{
			Name: fmt.Sprintf("hook-%d.example.com", i), ClientConfig: at(w, h.path), Rules: on("pods", registrationv1.OperationAll),
			FailurePolicy: new(h.policy), TimeoutSeconds: new(h.seconds), NamespaceSelector: within(namespace),
		})
	}
	return webhooks
}

// slowCalls serves slow webhooks: it responds after the time at the end of the path, and
// records the call.
type slowCalls struct {
	mu    sync.Mutex
	calls []slowCall
}

func (s *slowCalls) take() []slowCall {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

func (s *slowCalls) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	given, err := time.ParseDuration(r.URL.Query().Get("timeout"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.calls = append(s.calls, slowCall{r.URL.Path, int(given / time.Second), arrived})
	s.mu.Unlock()
	pause, err := time.ParseDuration(r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:])
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case <-time.After(pause):
	case <-r.Context().Done():
		panic(http.ErrAbortHandler) // a response might still arrive
	}
	reviewtest.Answer(reviewtest.Allow).ServeHTTP(w, r)
}

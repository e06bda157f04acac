package integration_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

// timeoutRow has a pod created by a client that has so many seconds.
type timeoutRow struct {
	row
	seconds    int
	mutating   []slowHook
	validating []slowHook
	// called are the paths of the webhooks, and how much time they were given:
	// mutating ones as they are called, the others by path.
	called []string
	// takes is how long the webhooks take, if everything else takes no time.
	takes time.Duration
	// wants are texts, one of which is in the error; nil for no error.
	wants []string
}

func timeoutRows() []timeoutRow {
	const fail, ignore = registrationv1.Fail, registrationv1.Ignore
	return []timeoutRow{
		{
			row{"I-T1", "a webhook has its own time, and no more than the request"}, 10,
			[]slowHook{{"/mutating/1/0s", fail, 20}, {"/mutating/2/0s", fail, 5}},
			[]slowHook{{"/validating/3/0s", fail, 20}, {"/validating/4/0s", fail, 5}},
			[]string{"/mutating/1/0s: 10s", "/mutating/2/0s: 5s", "/validating/3/0s: 10s", "/validating/4/0s: 5s"}, 0, nil,
		},
		{
			row{"I-T2", "what one webhook takes, the next ones do not have"}, 10,
			[]slowHook{{"/mutating/1/1s", fail, 20}, {"/mutating/2/1s", fail, 5}, {"/mutating/3/1s", fail, 20}},
			[]slowHook{{"/validating/4/1s", fail, 5}, {"/validating/5/1s", fail, 10}, {"/validating/6/1s", fail, 20}},
			[]string{"/mutating/1/1s: 10s", "/mutating/2/1s: 5s", "/mutating/3/1s: 8s", "/validating/4/1s: 5s", "/validating/5/1s: 7s", "/validating/6/1s: 7s"},
			4 * time.Second, nil,
		},
		{
			row{"I-T3", "when the request has ended, no other webhook is called"}, 3,
			[]slowHook{{"/mutating/1/5s", ignore, 4}, {"/mutating/2/1s", ignore, 5}, {"/mutating/3/1s", ignore, 5}}, nil,
			[]string{"/mutating/1/5s: 3s"}, 3 * time.Second,
			// It depends on which part of the server looks at its clock first.
			[]string{"request did not complete within requested timeout", "the server was unable to return a response in the time allotted", "stream error"},
		},
	}
}

// testTimeouts is I-T.
func testTimeouts(t *testing.T, s *server) {
	testtable.Run(t, timeoutRows(), func(t *testing.T, r timeoutRow) { r.check(t, s) })
}

// slip is by how much longer a request may take than its webhooks. The numbers
// of seconds that webhooks are given are the same then.
const slip = 400 * time.Millisecond

// check tries again when the machine was too slow for the numbers to mean
// something.
func (r timeoutRow) check(t *testing.T, s *server) {
	namespace := s.namespace(t, strings.ToLower(r.Name()))
	var called list
	hooks := process.ServeTLS(t, sleeping(&called))
	s.install(t, "mutating", namespace, r.webhooks(hooks, namespace, r.mutating)...)
	s.install(t, "validating", namespace, r.webhooks(hooks, namespace, r.validating)...)
	var took time.Duration
	var got []string
	var err error
	for attempt := 0; ; attempt++ {
		if attempt == 5 {
			t.Fatalf("the machine is too slow: after %s, the last of %d attempts had ended", took, attempt)
		}
		begin := time.Now()
		post := s.CoreV1().RESTClient().Post().Namespace(namespace).Resource("pods").Param("timeout", fmt.Sprintf("%ds", r.seconds))
		err = post.Body(pod(fmt.Sprintf("pod-%d", attempt))).Do(t.Context()).Error()
		took = time.Since(begin)
		got = called.take()
		if took < r.takes+slip {
			break
		}
	}
	r.checkError(t, err)
	// Those of the validating phase are called at the same time.
	slices.SortStableFunc(got, func(a, b string) int {
		if strings.HasPrefix(a, "/validating") && strings.HasPrefix(b, "/validating") {
			return strings.Compare(a, b)
		}
		return 0
	})
	if diff := cmp.Diff(r.called, got); diff != "" {
		t.Errorf("after %s, the webhooks called (-want, +got):\n%s", took, diff)
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

// sleeping responds after the time at the end of the path, and records the path
// and the timeout.
func sleeping(called *list) http.Handler {
	allow := reviewtest.Answer(reviewtest.Allow)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, err := time.ParseDuration(r.URL.Query().Get("timeout"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		called.add(fmt.Sprintf("%s: %s", r.URL.Path, given.Round(time.Second)))
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
		allow.ServeHTTP(w, r)
	})
}

package dispatcher_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/internal/testutil/testtable"
)

// several returns a testRequest with validating webhooks that share a backend.
func several(n int, e func(index int) exchange) *testRequest {
	s := &testRequest{backends: backends{}}
	for i := range n {
		name := fmt.Sprintf("hook%d.example.com", i)
		s.webhooks = append(s.webhooks, hook(admission.Validating, name))
		s.backends[name] = e(i)
	}
	return s
}

// calledIn lists the outcomes of calls with their webhooks and indices.
func calledIn(calls []admission.Call) []string {
	var list []string
	for _, c := range calls {
		list = append(list, fmt.Sprintf("%d %s %s", c.Index, c.Webhook.Name, c.Outcome))
	}
	return list
}

// TestValidatingCallsAreSimultaneous lets no webhook respond before all were
// called (S-190, S-192), and compares the requests: the objects are encoded
// once for all of them.
func TestValidatingCallsAreSimultaneous(t *testing.T) {
	t.Parallel()
	const webhooks = 16
	var asked sync.WaitGroup
	asked.Add(webhooks)
	bodies := make([]string, webhooks)
	s := several(webhooks, func(i int) exchange {
		return func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			bodies[i] = string(body)
			asked.Done()
			asked.Wait()
			r.Body = io.NopCloser(strings.NewReader(bodies[i]))
			return allow()(r)
		}
	})
	r := s.run(t.Context(), t, admission.Validating)
	if r.err != nil {
		t.Fatal(r.err)
	}
	for i := range bodies {
		bodies[i] = uidMember.ReplaceAllString(bodies[i], "")
		if bodies[i] != bodies[0] {
			t.Errorf("webhook %d was asked\n%s\nand webhook 0\n%s", i, bodies[i], bodies[0])
		}
	}
}

// TestManyRequestsAtOnce shares a dispatcher.
func TestManyRequestsAtOnce(t *testing.T) {
	t.Parallel()
	s := bothPhases(patches(`[`+addLabel("by", "m")+`]`), allow())
	s.config = func(c *dispatcher.Config) { c.Metrics = nil } // the recorder is for one request
	d := s.dispatcher(t, newResult())
	const requests = 32
	responses := make([]*admission.Response, requests)
	var group sync.WaitGroup
	for i := range requests {
		group.Go(func() {
			r := creation(pod("number", fmt.Sprint(i)))
			responses[i], _ = simulate.Request(t.Context(), d, r, s.interfaces())
		})
	}
	group.Wait()
	for i, r := range responses {
		if r == nil || !cmp.Equal(r.Object, runtime.Object(pod("number", fmt.Sprint(i), "by", "m"))) {
			t.Errorf("request %d: %+v", i, r)
		}
	}
}

// TestTheFirstInOrderIsHeard: the webhooks respond from the last to the first.
// kube-apiserver would return the first response (S-192); gatehouse's result
// does not depend on the order of responses.
func TestTheFirstInOrderIsHeard(t *testing.T) {
	t.Parallel()
	const webhooks = 4
	var answered [webhooks + 1]chan struct{}
	for i := range answered {
		answered[i] = make(chan struct{})
	}
	close(answered[webhooks])
	answers := [webhooks]exchange{allow(), reply(`"allowed":false,"warnings":["w1"]`), panics, deny()}
	s := several(webhooks, func(i int) exchange {
		return func(r *http.Request) (*http.Response, error) {
			<-answered[i+1]
			defer close(answered[i])
			return answers[i](r)
		}
	})
	s.webhooks[2].FailurePolicy = nil
	r := s.run(t.Context(), t, admission.Validating)

	const want = `admission webhook "hook1.example.com" denied the request without explanation`
	if testtable.Text(r.err) != want {
		t.Errorf("error %v, want %s", r.err, want)
	}
	if diff := cmp.Diff([]string{
		"0 hook0.example.com allowed",
		"1 hook1.example.com rejected",
		"2 hook2.example.com panicked",
		"3 hook3.example.com rejected",
	}, calledIn(r.calls)); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"w1"}, r.warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// TestTheFirstToAnswerIsHeard is kube-apiserver's way (S-192): the last in
// order answers first.
func TestTheFirstToAnswerIsHeard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const webhooks = 3
		s := several(webhooks, func(i int) exchange {
			return func(r *http.Request) (*http.Response, error) {
				time.Sleep(time.Duration(webhooks-i) * time.Millisecond)
				return deny()(r)
			}
		})
		s.config = func(c *dispatcher.Config) { c.Exact = true }
		r := s.run(t.Context(), t, admission.Validating)
		const want = `admission webhook "hook2.example.com" denied the request without explanation`
		if testtable.Text(r.err) != want {
			t.Errorf("error %v, want %s", r.err, want)
		}
		if diff := cmp.Diff([]string{
			"2 hook2.example.com rejected",
			"1 hook1.example.com rejected",
			"0 hook0.example.com rejected",
		}, calledIn(r.calls)); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	})
}

// TestIndices compares how the phases count when the first webhook does not
// match: mutating ones count all webhooks (S-160), validating ones only those
// that are called (S-191).
func TestIndices(t *testing.T) {
	t.Parallel()
	for phase, want := range map[admission.Phase][]string{
		admission.Mutating:   {"1 b.example.com failed open", "3 d.example.com failed open"},
		admission.Validating: {"0 b.example.com failed open", "1 d.example.com failed open"},
	} {
		other := func(w *admission.Webhook) {
			w.ObjectSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
		}
		s := &testRequest{webhooks: []*admission.Webhook{
			hook(phase, "a.example.com", func(w *admission.Webhook) { w.Rules = nil }),
			hook(phase, "b.example.com", ignoring),
			hook(phase, "c.example.com", other),
			hook(phase, "d.example.com", ignoring),
		}}
		r := s.run(t.Context(), t, phase)
		if diff := cmp.Diff(want, calledIn(r.calls)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", phase, diff)
		}
	}
}

// TestMatchErrors puts a webhook whose selector cannot be parsed after a valid
// one. In the mutating phase the valid one has been called by then; in the
// validating phase all webhooks are matched before any is called (S-082,
// S-190). failurePolicy Ignore makes no difference (S-251).
func TestMatchErrors(t *testing.T) {
	t.Parallel()
	const want = `Internal error occurred: "Bogus" is not a valid label selector operator`
	for phase, calls := range map[admission.Phase]int{admission.Mutating: 1, admission.Validating: 0} {
		s := &testRequest{backends: backends{"a": allow()}, webhooks: []*admission.Webhook{
			hook(phase, "a"),
			hook(phase, "b", ignoring, func(w *admission.Webhook) {
				w.ObjectSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "k", Operator: "Bogus"}}}
			}),
		}}
		r := s.run(t.Context(), t, phase)
		if testtable.Text(r.err) != want || len(r.calls) != calls {
			t.Errorf("%v: %d calls and error %v, want %d and %s", phase, len(r.calls), r.err, calls, want)
		}
	}
}

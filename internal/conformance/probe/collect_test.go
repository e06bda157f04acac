package probe_test

import (
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type causeCase struct {
	testtable.Row
	operation admissionv1.Operation
	// silent reports whether there is no answer to a review.
	silent func(probe.Review) bool
	// want has the versions that are met, with the cause of those without an
	// answer.
	want map[string]probe.Cause
	// good is how many visits have an answer to what the engine sends.
	good int
}

func TestMeetFindsCauses(t *testing.T) {
	t.Parallel()
	in := func(versions ...string) func(probe.Review) bool {
		return func(r probe.Review) bool { return slices.Contains(versions, r.Version()) }
	}
	without := func(field string) func(probe.Review) bool {
		return func(r probe.Review) bool { return r["request"].(map[string]any)[field] == nil }
	}
	both := func(cause probe.Cause) map[string]probe.Cause {
		return map[string]probe.Cause{probe.V1: cause, probe.V1beta1: cause}
	}
	testtable.Run(t, []causeCase{
		{testtable.Row{"answered", "an answer needs no cause"}, admissionv1.Create, in(), both(""), 1},
		{testtable.Row{"v1beta1", "the other version is answered"}, admissionv1.Create, in(probe.V1beta1), map[string]probe.Cause{probe.V1: "", probe.V1beta1: probe.Version}, 1},
		{testtable.Row{"v1", "what the engine sends is not answered, so that the sample says nothing about behaviour"}, admissionv1.Create, in(probe.V1),
			map[string]probe.Cause{probe.V1: probe.Version, probe.V1beta1: ""}, 0},
		{testtable.Row{"nothing", "it is none of what can be tried"}, admissionv1.Create, in(probe.V1, probe.V1beta1), both(probe.Unknown), 0},
		{testtable.Row{"null object", "a deletion with an object is answered"}, admissionv1.Delete, without("object"), both(probe.NullObject), 0},
		{testtable.Row{"null oldObject", "a creation with an oldObject is answered"}, admissionv1.Create, without("oldObject"), both(probe.NullOldObject), 0},
		{testtable.Row{"null options", "a connection with options is answered"}, admissionv1.Connect, without("options"), both(probe.NullOptions), 0},
		{testtable.Row{"update", "an update has everything"}, admissionv1.Update, in(probe.V1, probe.V1beta1), both(probe.Unknown), 0},
		{testtable.Row{"now and then", "an answer to something else does not say that it is the cause"}, admissionv1.Create, first(2), both(probe.Unknown), 0},
	}, func(t *testing.T, tc causeCase) {
		hook := probetest.Validating("hook", "/", func(w *registrationv1.ValidatingWebhook) { w.AdmissionReviewVersions = []string{"v3", "v1", "v1beta1"} })
		c := probetest.New(t, silent(tc.silent), []runtime.Object{hook}, probetest.Pod(tc.operation))
		got := map[string]probe.Cause{}
		for _, x := range c.Webhooks[0].Exchanges {
			got[x.Review.Version()] = x.Cause
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		if good := len(c.Webhooks[0].AnsweredVisits()); good != tc.good {
			t.Errorf("%d good visits, want %d", good, tc.good)
		}
	})
}

// silent is a webhook without an answer to some reviews.
func silent(some func(probe.Review) bool) http.Handler {
	return probetest.Handler(func(r probe.Review, _ map[string]any) {
		if some(r) {
			panic(http.ErrAbortHandler)
		}
	})
}

// first are the first n reviews that a webhook sees.
func first(n int32) func(probe.Review) bool {
	var reviews atomic.Int32
	return func(probe.Review) bool { return reviews.Add(1) <= n }
}

func TestMeetLosesPatience(t *testing.T) {
	t.Parallel()
	second := int32(1)
	testtable.Run(t, []patienceCase{
		{testtable.Row{"never", "hours could pass"}, 0, 3, true},
		{testtable.Row{"not any more", "what was said before counts, for a while"}, 1, 5, false},
	}, func(t *testing.T, tc patienceCase) {
		hook := probetest.Validating("hook", "/", func(w *registrationv1.ValidatingWebhook) { w.TimeoutSeconds = &second })
		var asked atomic.Int32
		done := make(chan struct{})
		t.Cleanup(func() { close(done) })
		good := probetest.Good()
		c := probetest.New(t, http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			if asked.Add(1) <= tc.answers {
				good.ServeHTTP(out, r)
				return
			}
			select {
			case <-r.Context().Done():
			case <-done:
			}
			panic(http.ErrAbortHandler) // an answer might still be heard
		}), []runtime.Object{hook}, probetest.Pod(admissionv1.Create), probetest.Pod(admissionv1.Update), probetest.Pod(admissionv1.Delete),
			probetest.Pod(admissionv1.Create), probetest.Pod(admissionv1.Update))
		w := c.Webhooks[0]
		if len(w.Exchanges) != tc.exchanges || (w.Unreachable != nil) != tc.unreachable {
			t.Errorf("%d exchanges and %v, want %d exchanges", len(w.Exchanges), w.Unreachable, tc.exchanges)
		}
	})
}

type patienceCase struct {
	testtable.Row
	answers     int32
	exchanges   int
	unreachable bool
}

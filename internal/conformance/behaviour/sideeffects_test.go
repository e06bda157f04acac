package behaviour

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// ledger is a side effect: it counts.
type ledger struct{ entries atomic.Int64 }

// writing is a webhook that writes into the ledger at some reviews.
func (l *ledger) writing(which func(probe.Review) bool) http.Handler {
	return probetest.Handler(func(r probe.Review, _ map[string]any) {
		if which(r) {
			l.entries.Add(1)
		}
	})
}

// observe is what a Collection sees of it.
func (l *ledger) observe(context.Context) ([]byte, error) {
	return []byte(strconv.FormatInt(l.entries.Load(), 10)), nil
}

// readable is a ledger that can be observed so often.
func readable(times int) func(*ledger) func(context.Context) ([]byte, error) {
	return func(l *ledger) func(context.Context) ([]byte, error) {
		calls := 0 // a check observes one thing after the other
		return func(ctx context.Context) ([]byte, error) {
			if calls++; calls > times {
				return nil, errors.New("no ledger")
			}
			return l.observe(ctx)
		}
	}
}

type sideEffect struct {
	row
	configurations []runtime.Object
	requests       []*admission.Request
	writes         func(probe.Review) bool
	observe        func(*ledger) func(context.Context) ([]byte, error)
	want           []string
}

func TestSideEffects(t *testing.T) {
	t.Parallel()
	never := func(probe.Review) bool { return false }
	ever := func(probe.Review) bool { return true }
	isReal := func(r probe.Review) bool { return !isDry(r) }
	seen := func(l *ledger) func(context.Context) ([]byte, error) { return l.observe }
	onDryRun := promises(registrationv1.SideEffectClassNoneOnDryRun)
	testtable.Run(t, []sideEffect{
		{row{"none", "nothing is written"}, mutating(1), created(), never, seen, []string{"pass"}},
		{row{"real ones only", "that is what was promised"}, mutating(1, onDryRun), created(), isReal, seen, []string{"pass"}},
		{row{"dry ones, too", "the webhook ignores dryRun"}, mutating(1, onDryRun), created(), ever, seen,
			[]string{"fail: CREATE pods/web in shop: the dry run has a side effect: what is observed is not the same after it"}},
		{row{"real ones without a promise", "None is a promise for these as well"}, mutating(1), created(), isReal, seen,
			[]string{"fail: CREATE pods/web in shop: sideEffects is None, but the request has a side effect: what is observed is not the same after it"}},
		{row{"connect", "None is a promise for what is never dry as well"}, mutating(1), one(admissionv1.Connect), ever, seen,
			[]string{"fail: CONNECT pods/web/exec in shop: sideEffects is None, but the request has a side effect: what is observed is not the same after it"}},
		{row{"some", "it promises nothing"}, mutating(1, promises(registrationv1.SideEffectClassSome)), created(), ever, seen,
			[]string{"skip: sideEffects is Some: kube-apiserver does not call the webhook in a dry run"}},
		{row{"no sample", "CONNECT is never dry"}, mutating(1, onDryRun), one(admissionv1.Connect), never, seen,
			[]string{"skip: the webhook has no good answer to a sample that can be a dry run"}},
		{row{"unobserved", "the state is unknown"}, mutating(1), created(), ever, func(*ledger) func(context.Context) ([]byte, error) { return nil },
			[]string{"skip: side effects cannot be observed"}},
		{row{"restless", "what changes by itself is no side effect"}, mutating(1), created(), never, func(l *ledger) func(context.Context) ([]byte, error) {
			return func(ctx context.Context) ([]byte, error) { l.entries.Add(1); return l.observe(ctx) }
		}, []string{"skip: what is observed changes without calls of the webhook"}},
		{row{"unreadable", "the state is unknown"}, mutating(1), created(), ever, func(*ledger) func(context.Context) ([]byte, error) {
			return func(context.Context) ([]byte, error) { return nil, errors.New("no ledger") }
		}, []string{"skip: side effects could not be observed: no ledger"}},
		{row{"unreadable later", "the state is unknown from then on"}, mutating(1), created(), ever, readable(2),
			[]string{"skip: side effects could not be observed any more: no ledger"}},
		{row{"unreadable in the middle", "that the first dry run was none is not enough"}, mutating(1), created(), never, readable(3),
			[]string{"skip: side effects could not be observed any more: no ledger"}},
		{row{"unreadable after a finding", "what was seen was seen"}, mutating(1), created(), ever, readable(3),
			[]string{"fail: CREATE pods/web in shop: the dry run has a side effect: what is observed is not the same after it"}},
	}, func(t *testing.T, tc sideEffect) {
		l := &ledger{}
		c := probetest.New(t, l.writing(tc.writes), tc.configurations, tc.requests...)
		c.Observe = tc.observe(l)
		if diff := cmp.Diff(tc.want, outcome(t, c, "C-SIDE-EFFECTS")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

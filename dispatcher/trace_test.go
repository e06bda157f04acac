package dispatcher_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/utils/clock"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// spanRow is a call and the events of its span; none of them for no span.
type spanRow struct {
	row
	phase   admission.Phase
	answer  exchange
	webhook func(*admission.Webhook)
	events  []string
	spans   int
}

func TestSpans(t *testing.T) {
	t.Parallel()
	patched := patches(`[` + addLabel("by", "hook") + `]`)
	sound := func(*admission.Webhook) {}
	unsent := func(w *admission.Webhook) { w.AdmissionReviewVersions = nil }
	testtable.Run(t, []spanRow{
		{row{"mutating", "S-350: a patch is an event"}, admission.Mutating, patched, sound, []string{"Request completed", "Patch applied"}, 1},
		{row{"mutating without patch", "S-350: no patch, no event"}, admission.Mutating, allow(), sound, []string{"Request completed"}, 1},
		{row{"validating", "S-350: the other name"}, admission.Validating, allow(), sound, []string{"Request completed"}, 1},
		{row{"failed", "S-350: the span ends, the request never completed"}, admission.Mutating, fails(errors.New("no")), sound, nil, 1},
		{row{"panic", "S-350: the span ends even so"}, admission.Validating, panics, sound, nil, 1},
		{row{"nothing sent", "S-350: the span begins when the review is made"}, admission.Mutating, allow(), unsent, nil, 0},
	}, func(t *testing.T, tc spanRow) { tc.run(t) })
}

func (tc *spanRow) run(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder)).Tracer("test")
	ctx, parent := tracer.Start(t.Context(), "request")
	var inside bool
	s := one(tc.phase, func(r *http.Request) (*http.Response, error) {
		inside = len(recorder.Ended()) == 0
		return tc.answer(r)
	}, tc.webhook)
	s.request.object = pod("app", "web")
	r := s.run(ctx, t, tc.phase)

	ended := recorder.Ended()
	if len(ended) != tc.spans {
		t.Fatalf("%d spans have ended, want %d", len(ended), tc.spans)
	}
	if tc.spans == 0 {
		return
	}
	span := ended[0]
	got := map[string]string{"name": span.Name()}
	for _, a := range span.Attributes() {
		got[string(a.Key)] = a.Value.AsString()
	}
	if diff := cmp.Diff(map[string]string{
		"name": "Call " + tc.phase.String() + " webhook", "configuration": "config", "webhook": hookName,
		"resource": "/v1, Resource=pods", "subresource": "", "operation": "CREATE", "UID": string(r.calls[0].UID),
	}, got); diff != "" {
		t.Errorf("name and attributes (-want +got):\n%s", diff)
	}
	var events []string
	for _, e := range span.Events() {
		events = append(events, e.Name)
	}
	if diff := cmp.Diff(tc.events, events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	// S-351
	if span.Parent().SpanID() != parent.SpanContext().SpanID() || !inside {
		t.Errorf("the span is no child of the request's, or ended before the exchange (%v)", !inside)
	}
}

// TestLatencyTrackers measures three webhooks that need 1, 2 and 4 seconds:
// mutating ones add up, of validating ones the slowest counts (S-352). A call
// that is refused before it is made takes no time.
func TestLatencyTrackers(t *testing.T) {
	t.Parallel()
	for phase, want := range map[admission.Phase]time.Duration{admission.Mutating: 7 * time.Second, admission.Validating: 4 * time.Second} {
		for dryRun, want := range map[bool]time.Duration{false: want, true: 0} {
			synctest.Test(t, func(t *testing.T) {
				s := several(3, func(i int) exchange {
					return func(r *http.Request) (*http.Response, error) { time.Sleep(time.Second << i); return allow()(r) }
				})
				for _, w := range s.webhooks {
					w.Phase, w.SideEffects = phase, nil
				}
				s.request.dryRun = dryRun
				checkLatency(t, s, phase, want)
			})
		}
	}
}

// nanosecond is a clock on which everything takes a nanosecond.
type nanosecond struct{ clock.RealClock }

func (nanosecond) Since(time.Time) time.Duration { return 1 }

// TestLateCall: in kube-apiserver a call whose time is over before it begins has
// a span and is tracked (S-350, S-352). So it is here, whether or not the
// client notices.
func TestLateCall(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, notices := range map[string]bool{"client notices": true, "client does not": false} {
		s := one(admission.Mutating, allow())
		if notices {
			s.config = func(c *dispatcher.Config) {
				c.Client = clientFunc(func(ctx context.Context, _ *admission.Webhook) (*dispatcher.Endpoint, error) {
					return nil, ctx.Err()
				})
			}
		}
		recorder := tracetest.NewSpanRecorder()
		tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder)).Tracer("test")
		ctx, _ := tracer.Start(ended, "request")
		ctx = endpointsrequest.WithLatencyTrackersAndCustomClock(ctx, nanosecond{})
		s.run(ctx, t, admission.Mutating)
		trackers, _ := endpointsrequest.LatencyTrackersFrom(ctx)
		if got := trackers.MutatingWebhookTracker.GetLatency(); got != 1 || len(recorder.Ended()) != 1 {
			t.Errorf("%s: latency %v and %d spans, want 1 ns and 1", name, got, len(recorder.Ended()))
		}
	}
}

func checkLatency(t *testing.T, s *testRequest, phase admission.Phase, want time.Duration) {
	t.Helper()
	ctx := endpointsrequest.WithLatencyTrackers(t.Context())
	s.run(ctx, t, phase)
	trackers, _ := endpointsrequest.LatencyTrackersFrom(ctx)
	got, other := trackers.MutatingWebhookTracker.GetLatency(), trackers.ValidatingWebhookTracker.GetLatency()
	if phase == admission.Validating {
		got, other = other, got
	}
	if got != want || other != 0 {
		t.Errorf("%v, dry run %v: latency %v, and %v in the other phase; want %v and 0", phase, s.request.dryRun, got, other, want)
	}
}

package parity

import (
	"context"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/client_golang/prometheus/testutil"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	webhooktesting "k8s.io/apiserver/pkg/admission/plugin/webhook/testing"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"
	clocktesting "k8s.io/utils/clock/testing"
)

// The tables that k8s.io/apiserver exports for its own plugins, with their own
// expectations, run against every host. How many rows a table has is part of
// the test: a table that comes up short has not been passed.
const (
	nonMutatingRows = 23
	mutatingRows    = 16
	cachedRows      = 5
	durationRows    = 3
	panicRows       = 3
)

// tableAttributes are upstream's, which remember their annotations.
func tableAttributes(isCRD bool, labels map[string]string, dryRun bool) *webhooktesting.FakeAttributes {
	if isCRD {
		return webhooktesting.NewAttributeUnstructured(tableNamespace, labels, dryRun).(*webhooktesting.FakeAttributes)
	}
	return webhooktesting.NewAttribute(tableNamespace, labels, dryRun).(*webhooktesting.FakeAttributes)
}

// tableExpectation is what rows of all tables have in common.
type tableExpectation struct {
	allow       bool
	text        string
	annotations map[string]string
	rejection   string
}

func (e tableExpectation) check(t *testing.T, s subject, attributes *webhooktesting.FakeAttributes, err error) {
	t.Helper()
	if e.allow != (err == nil) {
		t.Errorf("allowed: want %v, got error %v", e.allow, err)
	}
	if e.text != "" && (err == nil || !strings.Contains(err.Error(), e.text)) {
		t.Errorf("error: want one that says %q, got %v", e.text, err)
	}
	if _, ok := err.(*apierrors.StatusError); err != nil && !ok {
		t.Errorf("error: want a StatusError, got %T", err)
	}
	got := attributes.GetAnnotations(auditinternal.LevelMetadata)
	if diff := cmp.Diff(e.annotations, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
	if e.rejection == "" {
		return
	}
	const family = "apiserver_admission_webhook_rejection_count"
	want := "# HELP " + family + " [ALPHA] Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.\n" +
		"# TYPE " + family + " counter\n" + e.rejection + "\n"
	if err := testutil.GatherAndCompare(s.metrics, strings.NewReader(want), family); err != nil {
		t.Error(err)
	}
}

func TestUpstreamNonMutatingTable(t *testing.T) { onEachHost(t, nonMutatingTable) }

func nonMutatingTable(t *testing.T, open opener) {
	server := newTableServer(t)
	rows := webhooktesting.NewNonMutatingTestCases(server)
	wantRows(t, len(rows), nonMutatingRows)
	for _, row := range rows {
		t.Run(row.Name, func(t *testing.T) {
			countRow(t)
			auth := webhooktesting.NewAuthenticationInfoResolver(new(int32))
			s := open(t, server, auth).validating(t, row.Webhooks)
			attributes := tableAttributes(false, nil, row.IsDryRun)
			err := s.run(t.Context(), attributes, webhooktesting.NewObjectInterfacesForTest())
			tableExpectation{row.ExpectAllow, row.ErrorContains, row.ExpectAnnotations, row.ExpectRejectionMetrics}.
				check(t, s, attributes, err)
		})
	}
}

// TestUpstreamMutatingTable runs upstream's mutating rows, and its non-mutating
// ones in the form into which upstream itself converts them.
func TestUpstreamMutatingTable(t *testing.T) { onEachHost(t, mutatingTable) }

func mutatingTable(t *testing.T, open opener) {
	server := newTableServer(t)
	rows := webhooktesting.NewMutatingTestCases(server, "test-webhooks")
	wantRows(t, len(rows), mutatingRows)
	converted := webhooktesting.ConvertToMutatingTestCases(webhooktesting.NewNonMutatingTestCases(server), "test-webhooks")
	wantRows(t, len(converted), nonMutatingRows)
	for _, row := range append(rows, converted...) {
		t.Run(row.Name, func(t *testing.T) {
			countRow(t)
			runMutatingRow(t, open, server, row)
		})
	}
}

func runMutatingRow(t *testing.T, open opener, server *url.URL, row webhooktesting.MutatingTest) {
	auth := webhooktesting.NewAuthenticationInfoResolver(new(int32))
	s := open(t, server, auth).mutating(t, row.Webhooks)
	attributes := tableAttributes(row.IsCRD, row.AdditionalLabels, row.IsDryRun)
	err := s.run(t.Context(), attributes, webhooktesting.NewObjectInterfacesForTest())
	tableExpectation{row.ExpectAllow, row.ErrorContains, row.ExpectAnnotations, row.ExpectRejectionMetrics}.
		check(t, s, attributes, err)
	if row.ExpectLabels != nil {
		if diff := cmp.Diff(row.ExpectLabels, attributes.GetObject().(metav1.Object).GetLabels()); diff != "" {
			t.Errorf("labels (-want +got):\n%s", diff)
		}
	}
	if status, ok := err.(*apierrors.StatusError); ok && status.ErrStatus.Code != row.ExpectStatusCode {
		t.Errorf("status code: want %d, got %d", row.ExpectStatusCode, status.ErrStatus.Code)
	}
	checkReinvoked(t, s, attributes, row)
}

// checkReinvoked runs the second round, in which exactly the webhooks that
// upstream expects to be due may be called.
func checkReinvoked(t *testing.T, s subject, attributes *webhooktesting.FakeAttributes, row webhooktesting.MutatingTest) {
	t.Helper()
	if len(row.ExpectReinvokeWebhooks) == 0 {
		return
	}
	attributes.GetReinvocationContext().SetIsReinvoke()
	if err := s.run(t.Context(), attributes, webhooktesting.NewObjectInterfacesForTest()); err != nil {
		t.Logf("second round: %v", err) // some rows' patches do not apply twice
	}
	annotations := attributes.GetAnnotations(auditinternal.LevelMetadata)
	for name, want := range row.ExpectReinvokeWebhooks {
		got := false
		for key, value := range annotations {
			got = got || strings.HasPrefix(key, "mutation.webhook.admission.k8s.io/round_1_") && strings.Contains(value, `"webhook":"`+name+`"`)
		}
		if got != want {
			t.Errorf("webhook %s called in round 1: want %v, got %v", name, want, got)
		}
	}
}

// TestUpstreamCachedClientTable runs its rows in order over one client, because
// what is cached for a later row was made for an earlier one.
func TestUpstreamCachedClientTable(t *testing.T) { onEachHost(t, cachedTable) }

func cachedTable(t *testing.T, open opener) {
	server := newTableServer(t)
	rows := webhooktesting.NewCachedClientTestcases(server)
	wantRows(t, len(rows), cachedRows)
	for _, phase := range []string{"mutating", "validating"} {
		t.Run(phase, func(t *testing.T) {
			countRow(t)
			misses := new(int32)
			h := open(t, server, webhooktesting.NewAuthenticationInfoResolver(misses))
			for _, row := range rows {
				atomic.StoreInt32(misses, 0)
				attributes := tableAttributes(false, nil, false)
				err := runCachedRow(t, phase, row, h, attributes)
				if row.ExpectAllow != (err == nil) {
					t.Errorf("%s: allowed: want %v, got error %v", row.Name, row.ExpectAllow, err)
				}
				// Every row is another configuration.
				if missed := atomic.LoadInt32(misses) > 0; missed != row.ExpectCacheMiss && (row.ExpectCacheMiss || h.keepsClients()) {
					t.Errorf("%s: cache missed: want %v, got %v", row.Name, row.ExpectCacheMiss, missed)
				}
			}
		})
	}
}

func runCachedRow(t *testing.T, phase string, row webhooktesting.CachedTest, h host, a apiadmission.Attributes) error {
	if phase == "mutating" {
		s := h.mutating(t, webhooktesting.ConvertToMutatingWebhooks(row.Webhooks))
		return s.run(t.Context(), a, webhooktesting.NewObjectInterfacesForTest())
	}
	return h.validating(t, row.Webhooks).run(t.Context(), a, webhooktesting.NewObjectInterfacesForTest())
}

// TestUpstreamDurationTable checks the latency trackers of a request: the sum
// of the mutating calls, the longest of the validating ones.
func TestUpstreamDurationTable(t *testing.T) { onEachHost(t, durationTable) }

func durationTable(t *testing.T, open opener) {
	clock := &clocktesting.FakeClock{}
	server := start(t, webhooktesting.NewTestServerWithHandler(t, webhooktesting.ClockSteppingWebhookHandler(t, clock)))
	rows := webhooktesting.NewValidationDurationTestCases(server)
	wantRows(t, len(rows), durationRows)
	for _, row := range rows {
		t.Run(row.Name, func(t *testing.T) {
			countRow(t)
			h := open(t, server, webhooktesting.NewAuthenticationInfoResolver(new(int32)))
			objects := webhooktesting.NewObjectInterfacesForTest()
			run := func(phase func(context.Context)) *endpointsrequest.LatencyTrackers {
				ctx := t.Context()
				if row.InitContext {
					ctx = endpointsrequest.WithLatencyTrackersAndCustomClock(ctx, clock)
				}
				phase(ctx)
				trackers, ok := endpointsrequest.LatencyTrackersFrom(ctx)
				if ok != row.InitContext {
					t.Errorf("trackers: want %v, got %v", row.InitContext, ok)
				}
				return trackers
			}
			admitted := run(func(ctx context.Context) {
				s := h.mutating(t, webhooktesting.ConvertToMutatingWebhooks(row.Webhooks))
				_ = s.run(ctx, tableAttributes(false, nil, row.IsDryRun), objects)
			})
			validated := run(func(ctx context.Context) {
				_ = h.validating(t, row.Webhooks).run(ctx, tableAttributes(false, nil, row.IsDryRun), objects)
			})
			if !row.InitContext {
				return
			}
			if got := admitted.MutatingWebhookTracker.GetLatency(); got != row.ExpectedDurationSum {
				t.Errorf("mutating: want %v, got %v", row.ExpectedDurationSum, got)
			}
			if got := admitted.ValidatingWebhookTracker.GetLatency(); got != 0 {
				t.Errorf("validating, while mutating: want 0, got %v", got)
			}
			if got := validated.MutatingWebhookTracker.GetLatency(); got != 0 {
				t.Errorf("mutating, while validating: want 0, got %v", got)
			}
			if got := validated.ValidatingWebhookTracker.GetLatency(); got < row.ExpectedDurationMax {
				t.Errorf("validating: want at least %v, got %v", row.ExpectedDurationMax, got)
			}
		})
	}
}

func TestUpstreamPanicTable(t *testing.T) { onEachHost(t, panicTable) }

func panicTable(t *testing.T, open opener) {
	server := newTableServer(t)
	rows := webhooktesting.NewNonMutatingPanicTestCases(server)
	wantRows(t, len(rows), panicRows)
	for _, row := range rows {
		t.Run(row.Name, func(t *testing.T) {
			countRow(t)
			auth := webhooktesting.NewPanickingAuthenticationInfoResolver("Start panicking!")
			s := open(t, server, auth).validating(t, row.Webhooks)
			attributes := tableAttributes(false, nil, row.IsDryRun)
			err := s.run(t.Context(), attributes, webhooktesting.NewObjectInterfacesForTest())
			tableExpectation{row.ExpectAllow, row.ErrorContains, row.ExpectAnnotations, row.ExpectRejectionMetrics}.
				check(t, s, attributes, err)
		})
	}
}

// countRow has the end of a row counted.
func countRow(t *testing.T) {
	t.Cleanup(func() {
		differences := 0
		if t.Failed() {
			differences = 1
		}
		compared.add("upstream's tables", 1, differences)
	})
}

func wantRows(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Fatalf("upstream's table has %d rows, %d are expected", got, want)
	}
}

package parity

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	upstreammetrics "k8s.io/apiserver/pkg/admission/metrics"
	"k8s.io/component-base/metrics/legacyregistry"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/metrics"
	"example.com/gatehouse/metrics/upstream"
)

// metricFamilies are the families that gatehouse shares with upstream.
var metricFamilies = [...]string{
	"apiserver_admission_webhook_admission_duration_seconds",
	"apiserver_admission_webhook_request_total",
	"apiserver_admission_webhook_rejection_count",
	"apiserver_admission_webhook_fail_open_count",
	"apiserver_admission_match_condition_evaluation_errors_total",
	"apiserver_admission_match_condition_exclusions_total",
	"apiserver_admission_match_condition_evaluation_seconds",
}

// metricsElapsed falls on no bucket's edge and is given to both sides, so even
// the sums have to be equal.
const metricsElapsed = 30 * time.Millisecond

// metricsRow is one event of a webhook. gatehouse gets the record; the test
// makes the observations of upstream's dispatchers itself.
type metricsRow struct {
	row
	phase    admission.Phase
	policy   registrationv1.FailurePolicyType
	call     *admission.Call
	match    *admission.Match
	upstream func(u upstreamHook)
}

// upstreamHook observes what happens to one webhook in upstream's metrics.
type upstreamHook struct {
	t    *testing.T
	name string
}

func (u upstreamHook) request(step string, rejected bool, code int) {
	attributes := apiadmission.NewAttributesRecord(nil, nil, schema.GroupVersionKind{}, "", "",
		schema.GroupVersionResource{}, "", apiadmission.Create, nil, false, nil)
	upstreammetrics.Metrics.ObserveWebhook(u.t.Context(), u.name, metricsElapsed, rejected, attributes, step, code)
}

func (u upstreamHook) rejection(step string, kind upstreammetrics.WebhookRejectionErrorType, code int) {
	upstreammetrics.Metrics.ObserveWebhookRejection(u.t.Context(), u.name, step, "CREATE", kind, code)
}

func (u upstreamHook) failOpen(step string) {
	upstreammetrics.Metrics.ObserveWebhookFailOpen(u.t.Context(), u.name, step)
}

func (u upstreamHook) evaluation(step string, errs int) {
	m, ctx := upstreammetrics.Metrics, u.t.Context()
	for range errs {
		m.ObserveMatchConditionEvalError(ctx, u.name, "webhook", step, "CREATE")
	}
	m.ObserveMatchConditionEvaluationTime(ctx, metricsElapsed, u.name, "webhook", step, "CREATE")
}

func (u upstreamHook) exclusion(step string) {
	upstreammetrics.Metrics.ObserveMatchConditionExclusion(u.t.Context(), u.name, "webhook", step, "CREATE")
}

func metricsCallRows() []metricsRow {
	ended := func(outcome admission.Outcome, code int) *admission.Call {
		return &admission.Call{Outcome: outcome, Code: code, Err: errors.New("it went wrong")}
	}
	return []metricsRow{{
		row: row{"allowed", "mutating/dispatcher.go observes code 200"}, phase: admission.Mutating, policy: registrationv1.Fail,
		call:     &admission.Call{Outcome: admission.Allowed, Code: 200},
		upstream: func(u upstreamHook) { u.request("admit", false, 200) },
	}, {
		row: row{"rejected", "the webhook's own code, in two families"}, phase: admission.Validating, policy: registrationv1.Ignore,
		call: ended(admission.Rejected, 422),
		upstream: func(u upstreamHook) {
			u.rejection("validating", upstreammetrics.WebhookRejectionNoError, 422)
			u.request("validating", true, 422)
		},
	}, {
		row: row{"rejected-601", "upstream cuts the first code above 600"}, phase: admission.Validating, policy: registrationv1.Fail,
		call: ended(admission.Rejected, 601),
		upstream: func(u upstreamHook) {
			u.rejection("validating", upstreammetrics.WebhookRejectionNoError, 601)
			u.request("validating", true, 601)
		},
	}, {
		row: row{"failed-closed", "the code is that of the call's error"}, phase: admission.Mutating, policy: registrationv1.Fail,
		call: ended(admission.FailedClosed, 503),
		upstream: func(u upstreamHook) {
			u.rejection("admit", upstreammetrics.WebhookRejectionCallingWebhookError, 503)
			u.request("admit", true, 503)
		},
	}, {
		row: row{"failed-open", "a request that was not rejected, and a fail-open"}, phase: admission.Validating, policy: registrationv1.Ignore,
		call: ended(admission.FailedOpen, 503),
		upstream: func(u upstreamHook) {
			u.request("validating", false, 503)
			u.failOpen("validating")
		},
	}, {
		row: row{"canceled-fail", "the rejection counter is skipped"}, phase: admission.Mutating, policy: registrationv1.Fail,
		call:     ended(admission.Canceled, 503),
		upstream: func(u upstreamHook) { u.request("admit", true, 503) },
	}, {
		row: row{"canceled-ignore", "the fail-open counter is skipped"}, phase: admission.Validating, policy: registrationv1.Ignore,
		call:     ended(admission.Canceled, 503),
		upstream: func(u upstreamHook) { u.request("validating", false, 503) },
	}, {
		row: row{"internal", "the default branch of upstream's switch"}, phase: admission.Mutating, policy: registrationv1.Ignore,
		call: ended(admission.Internal, 0),
		upstream: func(u upstreamHook) {
			u.rejection("admit", upstreammetrics.WebhookRejectionAPIServerInternalError, 0)
			u.request("admit", true, 0)
		},
	}, {
		row: row{"panicked", "the recovery counts the fail-open and nothing else"}, phase: admission.Validating, policy: registrationv1.Ignore,
		call:     ended(admission.Panicked, 0),
		upstream: func(u upstreamHook) { u.failOpen("validating") },
	}}
}

func metricsMatchRows() []metricsRow {
	return []metricsRow{{
		row: row{"condition-false", "the two type labels differ when validating"}, phase: admission.Validating, policy: registrationv1.Fail,
		match: &admission.Match{Stage: admission.StageConditions, Conditions: admission.Conditions{Verdict: admission.ConditionsFalse, Errors: 2}},
		upstream: func(u upstreamHook) {
			u.evaluation("validating", 2)
			u.exclusion("validate")
		},
	}, {
		row: row{"condition-failed", "errors under Ignore exclude, with one type label when mutating"}, phase: admission.Mutating, policy: registrationv1.Ignore,
		match: &admission.Match{Stage: admission.StageConditions, Conditions: admission.Conditions{Verdict: admission.ConditionsFailed, Errors: 1}},
		upstream: func(u upstreamHook) {
			u.evaluation("admit", 1)
			u.exclusion("admit")
		},
	}, {
		row: row{"condition-aborted", "no error is counted when the evaluation as a whole failed"}, phase: admission.Validating, policy: registrationv1.Fail,
		match: &admission.Match{Stage: admission.StageConditions, Err: errors.New("forbidden"),
			Conditions: admission.Conditions{Verdict: admission.ConditionsAborted}},
		upstream: func(u upstreamHook) { u.evaluation("validating", 0) },
	}, {
		row: row{"condition-true", "upstream returns before it observes anything"}, phase: admission.Mutating, policy: registrationv1.Fail,
		match:    &admission.Match{Stage: admission.StagePassed, Conditions: admission.Conditions{Verdict: admission.ConditionsTrue}},
		upstream: func(upstreamHook) {},
	}}
}

// TestMetricsParity compares whole scrapes, with help texts and labels (S-338).
func TestMetricsParity(t *testing.T) {
	t.Parallel()
	// The suffix finds our series in upstream's global registry, and none of an
	// earlier run in the same process (-count).
	suffix := fmt.Sprintf(".%d.metrics.parity.example.com", time.Now().UnixNano())
	reg := prometheus.NewPedanticRegistry()
	m, err := metrics.New(reg)
	if err != nil {
		t.Fatal(err)
	}
	// The plugins record in upstream's registry as well, under other names.
	recorded := strings.Replace(suffix, ".metrics.", ".recorded.", 1)
	for _, r := range testtable.Checked(t, append(metricsCallRows(), metricsMatchRows()...)) {
		r.record(t, m, r.Name()+suffix)
		r.record(t, upstream.Recorder{}, r.Name()+recorded)
		r.upstream(upstreamHook{t, r.Name() + suffix})
	}
	want, got := scrapeFamilies(t, legacyregistry.DefaultGatherer, suffix), scrapeFamilies(t, reg, suffix)
	if len(got) != len(metricFamilies) {
		t.Errorf("gatehouse has %d families, want the %d shared ones", len(got), len(metricFamilies))
	}
	global := scrapeFamilies(t, legacyregistry.DefaultGatherer, recorded)
	for _, family := range metricFamilies {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(want[family], suffix) {
				t.Fatalf("upstream has no series of ours:\n%s", want[family])
			}
			if diff := cmp.Diff(want[family], got[family]); diff != "" {
				t.Errorf("exposition (-upstream +gatehouse):\n%s", diff)
			}
			renamed := strings.ReplaceAll(global[family], recorded, suffix)
			if diff := cmp.Diff(want[family], renamed); diff != "" {
				t.Errorf("exposition (-upstream +recorded in upstream's registry):\n%s", diff)
			}
		})
	}
}

// record completes the row's record and hands it to one of gatehouse's
// recorders.
func (r metricsRow) record(t *testing.T, m dispatcher.Recorder, hook string) {
	t.Helper()
	w := &admission.Webhook{Phase: r.phase, Name: hook, FailurePolicy: &r.policy}
	switch {
	case r.call != nil:
		r.call.Webhook, r.call.Operation, r.call.Duration = w, admissionv1.Create, metricsElapsed
		m.RecordCall(t.Context(), r.call)
	case r.match != nil:
		r.match.Webhook, r.match.Operation, r.match.Conditions.Elapsed = w, admissionv1.Create, metricsElapsed
		m.RecordMatch(t.Context(), r.match)
	default:
		t.Fatalf("row %q records nothing", r.Name())
	}
}

// scrapeFamilies reads the registry as a scrape does and returns the text of
// each family: its help, its type, and the series of webhooks with the suffix.
func scrapeFamilies(t *testing.T, g prometheus.Gatherer, suffix string) map[string]string {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(g, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("scrape: %d %s", w.Code, w.Body)
	}
	families, current := map[string]string{}, ""
	for line := range strings.Lines(w.Body.String()) {
		if rest, ok := strings.CutPrefix(line, "# HELP "); ok {
			current, _, _ = strings.Cut(rest, " ")
		}
		if strings.HasPrefix(line, "#") || strings.Contains(line, suffix+`"`) {
			families[current] += line
		}
	}
	return families
}

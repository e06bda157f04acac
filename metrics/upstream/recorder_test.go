package upstream_test

import (
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	// For apiserver's metrics, which are registered when the package is
	// imported.
	_ "k8s.io/apiserver/pkg/admission/metrics"
	"k8s.io/component-base/metrics/legacyregistry"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/metrics"
	"example.com/gatehouse/metrics/upstream"
)

// TestRecorder records every outcome with both recorders, in both phases and
// with both policies, and compares the counts.
func TestRecorder(t *testing.T) {
	before := counted(t, legacyregistry.DefaultGatherer) // which is the process's
	registry := prometheus.NewRegistry()
	own, err := metrics.New(registry)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range webhooks() {
		for _, m := range matches(w) {
			own.RecordMatch(t.Context(), &m)
			upstream.Recorder{}.RecordMatch(t.Context(), &m)
		}
		for outcome := admission.Allowed; outcome <= admission.Panicked; outcome++ {
			c := admission.Call{Webhook: w, Operation: "CREATE", Outcome: outcome, Code: codeOf(outcome), Duration: 30 * time.Millisecond}
			own.RecordCall(t.Context(), &c)
			upstream.Recorder{}.RecordCall(t.Context(), &c)
		}
	}
	want, got := counted(t, registry), counted(t, legacyregistry.DefaultGatherer)
	if len(want) < 20 {
		t.Errorf("there are only %d series", len(want))
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if added := got[name] - before[name]; math.Abs(added-want[name]) > 1e-9 {
			t.Errorf("%s: got %v, want %v", name, added, want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d series, want %d", len(got), len(want))
	}
}

// codeOf returns a code that a call of that outcome can have.
func codeOf(o admission.Outcome) int {
	switch o {
	case admission.Allowed:
		return http.StatusOK
	case admission.Internal:
		return 0
	default:
		return http.StatusTeapot
	}
}

// webhooks returns one of each phase with each policy.
func webhooks() []*admission.Webhook {
	var list []*admission.Webhook
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		for _, policy := range []registrationv1.FailurePolicyType{registrationv1.Fail, registrationv1.Ignore} {
			name := strings.ToLower(phase.String() + "." + string(policy) + ".example.com")
			list = append(list, &admission.Webhook{Phase: phase, Name: name, FailurePolicy: &policy})
		}
	}
	return list
}

// matches returns what conditions can come to.
func matches(w *admission.Webhook) []admission.Match {
	of := func(stage admission.Stage, verdict admission.Verdict, errs int) admission.Match {
		m := admission.Match{Webhook: w, Operation: "CREATE", Stage: stage}
		m.Conditions.Verdict, m.Conditions.Errors, m.Conditions.Elapsed = verdict, errs, time.Millisecond
		return m
	}
	return []admission.Match{
		of(admission.StagePassed, 0, 0),
		of(admission.StagePassed, admission.ConditionsTrue, 0),
		of(admission.StageConditions, admission.ConditionsFalse, 1),
		of(admission.StageConditions, admission.ConditionsFailed, 2),
	}
}

// counted returns the value of every series of webhooks and their conditions.
func counted(t *testing.T, from prometheus.Gatherer) map[string]float64 {
	t.Helper()
	families, err := from.Gather()
	if err != nil {
		t.Fatal(err)
	}
	series := map[string]float64{}
	for _, f := range families {
		name, ours := strings.CutPrefix(f.GetName(), "apiserver_admission_")
		if !ours || !strings.HasPrefix(name, "webhook_") && !strings.HasPrefix(name, "match_condition_") {
			continue
		}
		for _, m := range f.GetMetric() {
			series[name+labels(m)] += m.GetCounter().GetValue() + m.GetHistogram().GetSampleSum()
		}
	}
	return series
}

func labels(m *dto.Metric) string {
	var text strings.Builder
	for _, l := range m.GetLabel() {
		text.WriteString(" " + l.GetName() + "=" + l.GetValue())
	}
	return text.String()
}

package upstream_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"go.opentelemetry.io/otel/trace"
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
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, known := want[name]; !known && got[name] != before[name] {
			t.Errorf("%s: got %v, want none", name, got[name]-before[name])
		}
	}
}

// TestExemplars records in a sampled trace, in one that is not sampled, and without
// one, with both recorders: the same families have an exemplar, or none has.
func TestExemplars(t *testing.T) {
	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}})
	sampled := span.WithTraceFlags(trace.FlagsSampled)
	for name, ctx := range map[string]context.Context{
		"none.example.com":      t.Context(),
		"unsampled.example.com": trace.ContextWithSpanContext(t.Context(), span),
		"sampled.example.com":   trace.ContextWithSpanContext(t.Context(), sampled),
	} {
		registry := prometheus.NewRegistry()
		own, err := metrics.New(registry)
		if err != nil {
			t.Fatal(err)
		}
		w := &admission.Webhook{Phase: admission.Validating, Name: name, MatchConditions: []registrationv1.MatchCondition{{}}}
		for _, m := range matches(w) {
			own.RecordMatch(ctx, &m)
			upstream.Recorder{}.RecordMatch(ctx, &m)
		}
		c := admission.Call{Webhook: w, Operation: "CREATE", Outcome: admission.Rejected, Code: 418, Duration: 30 * time.Millisecond}
		own.RecordCall(ctx, &c)
		upstream.Recorder{}.RecordCall(ctx, &c)
		got, want := exemplars(t, registry, name), exemplars(t, legacyregistry.DefaultGatherer, name)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		if n := len(got); (n == 2) != (name == "sampled.example.com") {
			t.Errorf("%s: %d families have exemplars", name, n)
		}
	}
}

// exemplars returns the families, with labels, that have an exemplar for a webhook.
func exemplars(t *testing.T, from prometheus.Gatherer, webhook string) []string {
	t.Helper()
	families, err := from.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range families {
		for _, m := range f.Metric {
			if !slices.ContainsFunc(m.Label, func(l *dto.LabelPair) bool { return l.GetValue() == webhook }) {
				continue
			}
			all := []*dto.Exemplar{m.GetCounter().GetExemplar()}
			for _, b := range m.GetHistogram().GetBucket() {
				all = append(all, b.GetExemplar())
			}
			for _, e := range all {
				if e == nil {
					continue
				}
				labels := map[string]string{} // their order is random
				for _, l := range e.Label {
					labels[l.GetName()] = l.GetValue()
				}
				found = append(found, fmt.Sprint(f.GetName(), labels))
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
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

package metrics_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
)

func BenchmarkRecordCall(b *testing.B) {
	w := webhook(admission.Validating, registrationv1.Ignore)
	for _, row := range []struct {
		name string
		call *admission.Call
	}{
		{"allowed", call(w, admission.Allowed, 200)},
		{"rejected", call(w, admission.Rejected, 403)},
		{"failed open", call(w, admission.FailedOpen, 503)},
	} {
		b.Run(row.name, func(b *testing.B) {
			m := newMetrics(b, prometheus.NewRegistry())
			ctx := b.Context()
			b.ReportAllocs()
			for b.Loop() {
				m.RecordCall(ctx, row.call)
			}
		})
	}
}

func BenchmarkRecordMatch(b *testing.B) {
	m := newMetrics(b, prometheus.NewRegistry())
	match := &admission.Match{
		Webhook:    webhook(admission.Validating, registrationv1.Fail),
		Operation:  "CREATE",
		Stage:      admission.StageConditions,
		Conditions: admission.Conditions{Verdict: admission.ConditionsFalse},
	}
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		m.RecordMatch(ctx, match)
	}
}

package matching_test

import (
	"testing"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// BenchmarkMatch measures what a webhook costs a request, without the making of
// the request where it is shared by all webhooks.
func BenchmarkMatch(b *testing.B) {
	quiet := func(in *input) { in.Record = false }
	labelledPod := creating(func(a *testRequest) { a.object = pod(web) })
	stopped := func(b *testing.B, w *matching.Webhook, want admission.Stage) {
		b.Helper()
		r := request(labelledPod, found(web), quiet)
		b.ReportAllocs()
		for b.Loop() {
			if m := match(b.Context(), w, r); m.Stage != want {
				b.Fatalf("stage %v, error %v, want %v", m.Stage, m.Err, want)
			}
		}
	}
	b.Run("no rule", func(b *testing.B) {
		stopped(b, compile(asking(rules(rule("apps", "v1", "deployments", "deployments/*"), rule("batch", "v1", "jobs")))), admission.StageRules)
	})
	b.Run("selectors", func(b *testing.B) {
		stopped(b, compile(asking(byNamespace, byObject)), admission.StagePassed)
	})
	b.Run("three conditions", func(b *testing.B) {
		w := compile(asking(when("object.metadata.labels.app == 'web'", "request.operation == 'CREATE'", "!('admins' in request.userInfo.?groups.orValue([]))")))
		b.ReportAllocs()
		// A new request each time: a View keeps the results.
		for b.Loop() {
			if m := match(b.Context(), w, request(labelledPod, quiet)); !m.Matched() {
				b.Fatalf("stage %v, error %v, want a match", m.Stage, m.Err)
			}
		}
	})
	b.Run("three conditions remembered", func(b *testing.B) {
		stopped(b, compile(asking(when("object.metadata.labels.app == 'web'", "request.operation == 'CREATE'", "object.metadata.name == 'n'"))), admission.StagePassed)
	})
}

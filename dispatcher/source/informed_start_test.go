package source

import (
	"fmt"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// startWebhooks is how many webhooks a very large cluster has, each with a
// condition of its own.
const startWebhooks = 1000

// conditional returns configurations of 20 webhooks, no two of which have the
// same condition.
func conditional() []*registrationv1.ValidatingWebhookConfiguration {
	const each = 20
	configs := make([]*registrationv1.ValidatingWebhookConfiguration, startWebhooks/each)
	for i := range configs {
		configs[i] = validating(fmt.Sprint(i))
		for j := range each {
			configs[i].Webhooks = append(configs[i].Webhooks, registrationv1.ValidatingWebhook{
				Name: fmt.Sprint(j),
				MatchConditions: []registrationv1.MatchCondition{{
					Name:       "team",
					Expression: fmt.Sprintf("has(object.metadata.labels) && object.metadata.labels['team'] != 'team-%d-%d'", i, j),
				}},
			})
		}
	}
	return configs
}

// startUp returns how long a source that starts with all of these configurations
// takes until it tells of them, while nobody asks.
func startUp(t testing.TB) time.Duration {
	t.Helper()
	told := make(chan *matching.Snapshot, 1)
	f := prepareWith(t, func(s *matching.Snapshot) { told <- s }, conditional()...)
	start := time.Now()
	f.start(t)
	snapshot := <-told
	took := time.Since(start)
	// S-060: ready means that the whole list is in.
	if got := len(snapshot.Webhooks(admission.Validating)); got != startWebhooks {
		t.Fatalf("%d webhooks, want %d", got, startWebhooks)
	}
	if current, err := f.Current(t.Context()); current != snapshot || err != nil {
		t.Fatalf("the first request made a snapshot of its own (error %v)", err)
	}
	return took
}

// TestInformedStartsWithManyConditions says how long it takes, but does not judge:
// the machine may be busy with something else. It should be well below a second.
func TestInformedStartsWithManyConditions(t *testing.T) {
	t.Logf("%d webhooks with distinct conditions: ready after %v", startWebhooks, startUp(t))
}

func BenchmarkInformedStart(b *testing.B) {
	for b.Loop() {
		startUp(b)
	}
}

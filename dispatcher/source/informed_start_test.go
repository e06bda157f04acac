package source

import (
	"fmt"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
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

// startUp returns how long the first request waits for a source that starts
// with all of these configurations.
func startUp(t testing.TB) time.Duration {
	t.Helper()
	f := prepare(t, conditional()...)
	start := time.Now()
	f.start(t)
	snapshot, err := f.Current(t.Context())
	waited := time.Since(start)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(snapshot.Webhooks(admission.Validating)); got != startWebhooks {
		t.Fatalf("%d webhooks, want %d", got, startWebhooks)
	}
	return waited
}

// TestInformedStartsQuickly is generous: it is about seconds, which a machine
// that is busy with something else does not turn into minutes. It is not
// parallel. The benchmark has the number.
func TestInformedStartsQuickly(t *testing.T) {
	const bound = 3 * time.Second
	waited := startUp(t)
	t.Logf("%d webhooks with distinct conditions: ready after %v", startWebhooks, waited)
	if waited > bound {
		t.Errorf("ready after %v, want less than %v", waited, bound)
	}
}

func BenchmarkInformedStart(b *testing.B) {
	for b.Loop() {
		startUp(b)
	}
}

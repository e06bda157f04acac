package source

import (
	"fmt"
	"runtime"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// perConfiguration is how many webhooks each configuration of conditional has.
const perConfiguration = 20

// conditional returns n configurations whose webhooks each have a condition.
// Those of equal text are the same.
func conditional(n int, condition func(configuration, webhook int) string) []*registrationv1.ValidatingWebhookConfiguration {
	configs := make([]*registrationv1.ValidatingWebhookConfiguration, n)
	for i := range configs {
		configs[i] = validating(fmt.Sprint(i))
		for j := range perConfiguration {
			configs[i].Webhooks = append(configs[i].Webhooks, registrationv1.ValidatingWebhook{
				Name:            fmt.Sprint(j),
				MatchConditions: []registrationv1.MatchCondition{{Name: "team", Expression: condition(i, j)}},
			})
		}
	}
	return configs
}

// distinct conditions are not equal in any two webhooks, shared ones are in all
// configurations.
func distinct(i, j int) string {
	return fmt.Sprintf("has(object.metadata.labels) && object.metadata.labels['team'] != 'team-%d-%d'", i, j)
}

func shared(_, j int) string { return distinct(0, j) }

// startUp starts a source with these configurations and waits until it
// publishes them, without any request.
func startUp(t testing.TB, configs []*registrationv1.ValidatingWebhookConfiguration) {
	t.Helper()
	published := make(chan *matching.Snapshot, 1)
	f := prepareWith(t, func(s *matching.Snapshot) { published <- s }, configs...)
	f.start(t)
	snapshot := <-published
	// S-060: ready means that the whole list is in.
	if got, want := len(snapshot.Webhooks(admission.Validating)), perConfiguration*len(configs); got != want {
		t.Fatalf("%d webhooks, want %d", got, want)
	}
	if current, err := f.Current(t.Context()); current != snapshot || err != nil {
		t.Fatalf("the first request compiled another snapshot (error %v)", err)
	}
}

// allocated returns how many objects the process allocates meanwhile.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// TestInformedStartsWithManyConditions requires that each distinct condition is
// compiled once. It counts allocations, of which compiling has nearly all,
// because a busy machine does not change them. It is not parallel.
func TestInformedStartsWithManyConditions(t *testing.T) {
	const configurations = 20
	all := conditional(configurations, distinct)
	compile := func(configs []*registrationv1.ValidatingWebhookConfiguration) {
		for _, c := range configs {
			matching.NewCompiler().Compile(admission.ValidatingWebhooks(c))
		}
	}
	compile(all[:1]) // what is made once for the process is made here
	once := allocated(func() { compile(all) })
	many := allocated(func() { startUp(t, all) })
	if many < once || many > once*6/5 {
		t.Errorf("a start with %d distinct conditions takes %d allocations, want about %d, for compiling each once", perConfiguration*configurations, many, once)
	}
	equal := allocated(func() { startUp(t, conditional(configurations, shared)) })
	if equal > once/10 {
		t.Errorf("a start with %d conditions of which %d are distinct takes %d allocations, want less than a tenth of %d, for distinct ones", perConfiguration*configurations, perConfiguration, equal, once)
	}
}

// BenchmarkInformedStart has 1,000 webhooks, as a very large cluster may have.
func BenchmarkInformedStart(b *testing.B) {
	for b.Loop() {
		startUp(b, conditional(1000/perConfiguration, distinct))
	}
}

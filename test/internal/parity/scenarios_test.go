package parity

import (
	"context"
	"io"
	"runtime"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	webhookinitializer "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// oracle is upstream's plugins.
func oracle() harness.Oracle {
	return harness.Oracle{
		Register: func(plugins *apiadmission.Plugins) {
			mutating.Register(plugins)
			validating.Register(plugins)
		},
		Reach: func(wrap webhookutil.AuthenticationInfoResolverWrapper, services webhookutil.ServiceResolver) apiadmission.PluginInitializer {
			return webhookinitializer.NewPluginInitializer(wrap, services)
		},
	}
}

// newHarness is not for parallel tests: it sets apiserver's global metrics to
// zero again and again.
func newHarness(t testing.TB) *harness.Harness {
	t.Helper()
	h, err := harness.New(oracle())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

const written = "scenarios" // the source of those in testdata

// TestScenarios runs what was written by hand. What a scenario expects is
// expected of upstream as well, so that a wrong expectation is found.
func TestScenarios(t *testing.T) {
	all, err := scenario.Load("testdata/scenarios")
	if err != nil {
		t.Fatal(err)
	}
	h := newHarness(t)
	compared.add(written, 0, 0)
	for i := range all {
		s := &all[i]
		t.Run(s.Name, func(t *testing.T) {
			found, err := h.Run(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			compared.add(written, 1, len(found))
			for _, d := range found {
				t.Error(d)
			}
			if t.Failed() {
				t.Logf("why: %s", s.Why)
			}
		})
	}
}

// deaf is upstream's plugin without its errors.
type deaf struct{ *validating.Plugin }

func (d deaf) Validate(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) error {
	_ = d.Plugin.Validate(ctx, a, o)
	return nil
}

// TestHarnessSeesDifferences compares with an oracle that is wrong.
func TestHarnessSeesDifferences(t *testing.T) {
	wrong := oracle()
	wrong.Register = func(plugins *apiadmission.Plugins) {
		mutating.Register(plugins)
		plugins.Register(validating.PluginName, func(config io.Reader) (apiadmission.Interface, error) {
			p, err := validating.NewValidatingAdmissionWebhook(config)
			return deaf{p}, err
		})
	}
	h, err := harness.New(wrong)
	if err != nil {
		t.Fatal(err)
	}
	found, err := h.Run(t.Context(), byName(t, "harness several objections"), harness.Gatehouse)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, d := range found {
		seen[d.Side.String()+" "+d.Field] = true
	}
	for _, want := range []string{"upstream want.denied", "gatehouse Error.Type", "gatehouse Error.Status", "gatehouse Error.Text"} {
		if !seen[want] {
			t.Errorf("no difference %q in %v", want, found)
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestHarnessKeepsNothing counts goroutines, because a hundred thousand
// scenarios may be compared in a row.
func TestHarnessKeepsNothing(t *testing.T) {
	h := newHarness(t)
	s := byName(t, "harness two rounds")
	excluding := *s
	excluding.Excluded = []schema.GroupResource{{Resource: "secrets"}} // has hosts of its own
	run := func(times int) {
		for range times {
			for _, one := range []*scenario.Scenario{s, &excluding} {
				if found, err := h.Run(t.Context(), one); err != nil || len(found) > 0 {
					t.Fatal(found, err)
				}
			}
		}
	}
	run(3)
	before := runtime.NumGoroutine()
	run(20)
	const slack = 10 // connections that are being closed
	for patience := time.Now().Add(2 * time.Minute); runtime.NumGoroutine() > before+slack; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(patience) {
			t.Fatalf("%d goroutines, and before only %d", runtime.NumGoroutine(), before)
		}
	}
}

func byName(t testing.TB, name string) *scenario.Scenario {
	t.Helper()
	all, err := scenario.Load("testdata/scenarios")
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	t.Fatalf("there is no scenario %q", name)
	return nil
}

// BenchmarkScenario takes a request with four calls and two rounds through
// upstream and one side.
func BenchmarkScenario(b *testing.B) {
	h, s := newHarness(b), byName(b, "harness two rounds")
	for b.Loop() {
		if found, err := h.Run(b.Context(), s, harness.Gatehouse); err != nil || len(found) > 0 {
			b.Fatal(found, err)
		}
	}
}

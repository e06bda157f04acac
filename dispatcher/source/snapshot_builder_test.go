package source

import (
	"errors"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

// broken is a compiler that panics when there is a condition to compile.
func broken() *matching.Compiler { return &matching.Compiler{} }

// conditioned is a configuration with a condition.
func conditioned(name string) *registrationv1.ValidatingWebhookConfiguration {
	c := validating(name, "v")
	c.Webhooks[0].MatchConditions = []registrationv1.MatchCondition{{Name: "n", Expression: "true"}}
	return c
}

// TestInformedCompilerPanics requires Current to return an error that names the
// configuration whose compilation panics, until it is deleted or compiles:
// neither the snapshot before nor one without that configuration.
func TestInformedCompilerPanics(t *testing.T) {
	t.Parallel()
	f := follow(t)
	f.current(t)
	handler, works := f.handler(validatingKind), f.builder.compiler
	f.compileWith(broken())
	handler.OnAdd(validating("a", "v"), false)
	handler.OnAdd(conditioned("b"), false)
	for range 2 {
		f.wantPanic(t, `compiling ValidatingWebhookConfiguration "b": runtime error: `)
	}
	handler.OnAdd(validating("c", "v"), false)
	f.wantPanic(t, `compiling ValidatingWebhookConfiguration "b": runtime error: `)

	handler.OnDelete(conditioned("b"))
	if got := len(f.current(t).Webhooks(admission.Validating)); got != 2 {
		t.Errorf("without the culprit there are %d webhooks, want 2", got)
	}
	handler.OnAdd(conditioned("b"), false)
	f.wantPanic(t, `compiling ValidatingWebhookConfiguration "b": runtime error: `)
	f.compileWith(works)
	if got := len(f.current(t).Webhooks(admission.Validating)); got != 3 {
		t.Errorf("when all can be compiled there are %d webhooks, want 3", got)
	}
}

func (f following) compileWith(c *matching.Compiler) {
	f.builderMu.Lock()
	defer f.builderMu.Unlock()
	f.builder.compiler = c
}

func (f following) wantPanic(t *testing.T, prefix string) {
	t.Helper()
	snapshot, err := f.Current(t.Context())
	if contained := (*admission.PanicError)(nil); snapshot != nil || !errors.As(err, &contained) || len(contained.Stack) == 0 {
		t.Errorf("got %v, %v; want nothing but a panic with its stack", snapshot, err)
	}
	if !strings.HasPrefix(testtable.Text(err), prefix) {
		t.Errorf("want %s…, got %v", prefix, err)
	}
}

// TestInformedStartsAfterAPanic requires a source that cannot compile its first
// list to return the error instead of ErrNotReady.
func TestInformedStartsAfterAPanic(t *testing.T) {
	t.Parallel()
	f := prepare(t, conditioned("a"))
	works := f.builder.compiler
	f.compileWith(broken())
	f.start(t)
	f.wantPanic(t, `compiling ValidatingWebhookConfiguration "a": runtime error: `)
	f.compileWith(works)
	if got := len(f.current(t).Webhooks(admission.Validating)); got != 1 {
		t.Errorf("there are %d webhooks, want 1", got)
	}
}

// TestStoreCompilerPanics requires the snapshot before to stay in force, and
// the next Set to succeed.
func TestStoreCompilerPanics(t *testing.T) {
	t.Parallel()
	s := NewStore()
	s.Set([]*registrationv1.MutatingWebhookConfiguration{mutating("a", "v")}, nil)
	before, works := current(t, s), s.builder.compiler
	s.builder.compiler = broken()
	wanted := []*registrationv1.ValidatingWebhookConfiguration{conditioned("b")}
	got := func() (r any) {
		defer func() { r = recover() }()
		s.Set(nil, wanted)
		return nil
	}()
	if err, _ := got.(error); !strings.HasPrefix(testtable.Text(err), `compiling ValidatingWebhookConfiguration "b": `) {
		t.Errorf("Set panicked with %v", got)
	}
	if current(t, s) != before {
		t.Error("what was in force is not any more")
	}
	s.builder.compiler = works
	s.Set(nil, wanted)
	if after := orderOf(current(t, s)); len(after.Mutating) != 0 || len(after.Validating) != 1 {
		t.Errorf("after the next Set there are %v", after)
	}
}

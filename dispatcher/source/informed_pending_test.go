package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// pendingStep is one call by an informer or by compilePending.
type pendingStep struct {
	name string
	do   func(*pendingChanges)
	// current is the snapshot that requests find afterwards.
	current *matching.Snapshot
}

// TestPendingChanges makes the calls of a source step by step and checks the
// invariant before and after each.
func TestPendingChanges(t *testing.T) {
	t.Parallel()
	first, second := matching.NewSnapshot(nil, nil), matching.NewSnapshot(nil, nil)
	add := func(n *pendingChanges) { n.enqueue(configurationKey{validatingKind, "a"}, nil) }
	take := func(n *pendingChanges) { n.drain() }
	n := &pendingChanges{}
	for _, step := range []pendingStep{
		{"nothing is known", func(*pendingChanges) {}, nil},
		{"taking nothing", take, nil},
		{"the server is empty", func(n *pendingChanges) { n.publish(first) }, first},
		{"a change", add, nil},
		{"a compiler looks at it", take, nil},
		{"another change meanwhile", add, nil},
		{"the compiler is late", func(n *pendingChanges) { n.publish(first) }, nil},
		{"it looks again", take, nil},
		{"it has all", func(n *pendingChanges) { n.publish(second) }, second},
		{"a compiler without anything to do", take, second},
		{"the same again", func(n *pendingChanges) { n.publish(second) }, second},
	} {
		step.do(n)
		if got := n.current.Load(); got != step.current {
			t.Errorf("%s: requests find %p, want %p", step.name, got, step.current)
		}
		n.check(t, step.name)
	}
}

// check checks the invariant.
func (n *pendingChanges) check(t *testing.T, when string) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.webhooks) > 0 && n.current.Load() != nil {
		t.Errorf("%s: requests find a snapshot although %d changes are pending", when, len(n.webhooks))
	}
}

// TestPendingChangesKeepTheLast requires drain to return the last of several
// changes of one configuration.
func TestPendingChangesKeepTheLast(t *testing.T) {
	t.Parallel()
	one := []*admission.Webhook{{Name: "one"}}
	a, b := configurationKey{mutatingKind, "a"}, configurationKey{validatingKind, "a"}
	var n pendingChanges
	n.enqueue(a, nil)
	n.enqueue(a, one)
	n.enqueue(b, one)
	n.enqueue(b, nil)
	want := map[configurationKey][]*admission.Webhook{a: one, b: nil}
	if diff := cmp.Diff(want, n.drain(), cmp.AllowUnexported(configurationKey{})); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

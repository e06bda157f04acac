package source

import (
	"testing"

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
	add, take := (*pendingChanges).add, func(n *pendingChanges) { n.take() }
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
	if n.pending && n.current.Load() != nil {
		t.Errorf("%s: requests find a snapshot although changes are pending", when)
	}
}

package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// notesStep is something that an informer or a compiler does.
type notesStep struct {
	name string
	do   func(*notes)
	// settled is what requests find afterwards.
	settled *matching.Snapshot
}

// TestNotes takes the notes through the life of a source step by step and looks
// at the invariant before and after each.
func TestNotes(t *testing.T) {
	t.Parallel()
	first, second := matching.NewSnapshot(nil, nil), matching.NewSnapshot(nil, nil)
	add := func(n *notes) { n.add(identity{validatingKind, "a"}, nil) }
	take := func(n *notes) { n.take() }
	n := &notes{}
	for _, step := range []notesStep{
		{"nothing is known", func(*notes) {}, nil},
		{"taking nothing", take, nil},
		{"the server is empty", func(n *notes) { n.settle(first) }, first},
		{"a change", add, nil},
		{"a compiler looks at it", take, nil},
		{"another change meanwhile", add, nil},
		{"the compiler is late", func(n *notes) { n.settle(first) }, nil},
		{"it looks again", take, nil},
		{"it has all", func(n *notes) { n.settle(second) }, second},
		{"a compiler without anything to do", take, second},
		{"the same again", func(n *notes) { n.settle(second) }, second},
	} {
		step.do(n)
		if got := n.current.Load(); got != step.settled {
			t.Errorf("%s: requests find %p, want %p", step.name, got, step.settled)
		}
		n.check(t, step.name)
	}
}

// check checks the invariant.
func (n *notes) check(t *testing.T, when string) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.pending) > 0 && n.current.Load() != nil {
		t.Errorf("%s: requests find a snapshot although %d changes are pending", when, len(n.pending))
	}
}

// TestNotesKeepTheLast: of several changes of one configuration the last counts.
func TestNotesKeepTheLast(t *testing.T) {
	t.Parallel()
	one := []*admission.Webhook{{Name: "one"}}
	a, b := identity{mutatingKind, "a"}, identity{validatingKind, "a"}
	var n notes
	n.add(a, nil)
	n.add(a, one)
	n.add(b, one)
	n.add(b, nil)
	want := map[identity][]*admission.Webhook{a: one, b: nil}
	if diff := cmp.Diff(want, n.take(), cmp.AllowUnexported(identity{})); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

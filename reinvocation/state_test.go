package reinvocation_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/reinvocation"
)

// stateRow is a sequence of calls of a State and the webhooks that are due
// after it, out of x and y.
type stateRow struct {
	row
	use  func(*reinvocation.State)
	want []string
}

func TestState(t *testing.T) {
	t.Parallel()
	testtable.Run(t, slices.Concat(calledRows(), betweenRows()), func(t *testing.T, tc stateRow) {
		var s reinvocation.State
		tc.use(&s)
		var due []string
		for _, uid := range []string{"x", "y"} {
			if s.Due(uid) {
				due = append(due, uid)
			}
		}
		if diff := cmp.Diff(tc.want, due); diff != "" {
			t.Errorf("due (-want +got):\n%s", diff)
		}
	})
}

// calledRows are about what webhooks do to each other.
func calledRows() []stateRow {
	return []stateRow{{
		row: row{"zero value", "S-165: before any call no webhook is due"},
		use: func(*reinvocation.State) {},
	}, {
		row: row{"own change", "S-166: a webhook's own change never makes it due"},
		use: func(s *reinvocation.State) { s.Called("x", true, true) },
	}, {
		row:  row{"change by a later webhook", "S-166: a webhook called before the change is due"},
		use:  func(s *reinvocation.State) { s.Called("x", false, true); s.Called("y", true, true) },
		want: []string{"x"},
	}, {
		row: row{"change by an earlier webhook", "S-166: a webhook called after the change is not due"},
		use: func(s *reinvocation.State) { s.Called("x", true, true); s.Called("y", false, true) },
	}, {
		row: row{"policy Never", "S-166: only reinvocable webhooks are remembered"},
		use: func(s *reinvocation.State) { s.Called("x", false, false); s.Called("y", true, true) },
	}, {
		row:  row{"change by one that is not reinvocable", "S-166: the policy of the webhook that changes the object does not matter"},
		use:  func(s *reinvocation.State) { s.Called("x", false, true); s.Called("y", true, false) },
		want: []string{"x"},
	}, {
		row: row{"called again after the change", "S-167: the second call leaves the uid due, which does no harm without a third round"},
		use: func(s *reinvocation.State) {
			s.Called("x", false, true)
			s.Called("y", true, true)
			s.Called("x", false, true)
		},
		want: []string{"x"},
	}, {
		row: row{"two that change", "S-166: each makes due those that went before it"},
		use: func(s *reinvocation.State) {
			s.Called("x", true, true)
			s.Called("y", true, true)
			s.Called("z", true, true)
		},
		want: []string{"x", "y"},
	}}
}

// betweenRows are about what happens between the rounds.
func betweenRows() []stateRow {
	return []stateRow{{
		row: row{"same object in the second round", "S-163: nothing was changed in between"},
		use: func(s *reinvocation.State) { rounds(s, object("a"), object("a")) },
	}, {
		row:  row{"other object in the second round", "S-163: an in-tree plugin changed the object, so all are due"},
		use:  func(s *reinvocation.State) { rounds(s, object("a"), object("b")) },
		want: []string{"x", "y"},
	}, {
		row: row{"absent and empty labels", "S-163: objects are compared semantically"},
		use: func(s *reinvocation.State) {
			empty := object("a")
			empty.Labels = map[string]string{}
			rounds(s, object("a"), empty)
		},
	}, {
		row: row{"changed in place", "S-164: the state keeps a copy, or it would compare the object with itself"},
		use: func(s *reinvocation.State) {
			a := object("a")
			s.Called("x", false, true)
			s.End(a)
			a.Name = "b"
			s.Begin(true, a)
		},
		want: []string{"x"},
	}, {
		row: row{"deleted", "S-164: without an object there is nothing to change"},
		use: func(s *reinvocation.State) { s.Called("x", false, true); s.End(nil); s.Begin(true, nil) },
	}, {
		row: row{"other object in a first round", "S-163: only a second round compares"},
		use: func(s *reinvocation.State) {
			s.Called("x", false, true)
			s.End(object("a"))
			s.Begin(false, object("b"))
		},
	}, {
		row: row{"none was invoked", "S-165: a change makes only invoked webhooks due"},
		use: func(s *reinvocation.State) {
			s.Called("x", false, false)
			s.End(object("a"))
			s.Begin(true, object("b"))
		},
	}}
}

// rounds goes through a first round with two calls and begins a second one.
func rounds(s *reinvocation.State, end, begin *partial) {
	s.Begin(false, end)
	s.Called("x", false, true)
	s.Called("y", false, true)
	s.End(end)
	s.Begin(true, begin)
}

func TestCalledSaysWhetherToGoAgain(t *testing.T) {
	t.Parallel()
	for _, changed := range []bool{false, true} {
		for _, reinvocable := range []bool{false, true} {
			var s reinvocation.State
			// S-166: any change requires a second round, even if no webhook is
			// due in it, because in-tree plugins are to see the change.
			if again := s.Called("x", changed, reinvocable); again != changed {
				t.Errorf("Called(changed=%v, reinvocable=%v) = %v, want %v", changed, reinvocable, again, changed)
			}
		}
	}
}

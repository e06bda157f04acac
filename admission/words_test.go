package admission

import (
	"fmt"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestWords: every value has a unique word; other values are "unknown".
func TestWords(t *testing.T) {
	t.Parallel()
	words := func(what string, last int, word func(int) fmt.Stringer) {
		seen := map[string]bool{"unknown": true}
		for i := 1; i <= last; i++ {
			if text := word(i).String(); text == "" || seen[text] {
				t.Errorf("%s %d is %q", what, i, text)
			} else {
				seen[text] = true
			}
		}
		for _, i := range []int{0, last + 1} {
			if text := word(i).String(); text != "unknown" {
				t.Errorf("%s %d is %q", what, i, text)
			}
		}
	}
	words("phase", int(Validating), func(i int) fmt.Stringer { return Phase(i) })
	words("outcome", int(Panicked), func(i int) fmt.Stringer { return Outcome(i) })
	words("stage", int(StagePassed), func(i int) fmt.Stringer { return Stage(i) })
	words("step", int(StepApplyPatch), func(i int) fmt.Stringer { return Step(i) })
	words("origin", int(OriginPanic), func(i int) fmt.Stringer { return Origin(i) })
	words("rule part", int(RuleResources), func(i int) fmt.Stringer { return RulePart(i) })
}

// TestRejects: what counts as a rejection, with either policy (S-334).
func TestRejects(t *testing.T) {
	t.Parallel()
	type row struct {
		testtable.Row
		outcome      Outcome
		fail, ignore bool
	}
	testtable.Run(t, []row{
		{testtable.Row{"allowed", "it goes on"}, Allowed, false, false},
		{testtable.Row{"rejected", "no policy helps"}, Rejected, true, true},
		{testtable.Row{"failed closed", "the policy has decided already"}, FailedClosed, true, true},
		{testtable.Row{"failed open", "the policy has decided already"}, FailedOpen, false, false},
		{testtable.Row{"canceled", "the policy decides"}, Canceled, true, false},
		{testtable.Row{"internal", "no policy helps"}, Internal, true, true},
		{testtable.Row{"panicked", "the policy decides"}, Panicked, true, false},
		{testtable.Row{"none", "what has not ended rejects nothing"}, 0, false, false},
	}, func(t *testing.T, r row) {
		for policy, want := range map[registrationv1.FailurePolicyType]bool{registrationv1.Fail: r.fail, registrationv1.Ignore: r.ignore} {
			c := Call{Outcome: r.outcome, Webhook: &Webhook{FailurePolicy: &policy}}
			if got := c.Rejects(); got != want {
				t.Errorf("%s: got %v, want %v", policy, got, want)
			}
		}
	})
}

// TestPolicyKinds has the kind of the policies of each phase.
func TestPolicyKinds(t *testing.T) {
	t.Parallel()
	for phase, want := range map[Phase]string{
		Mutating:   "MutatingAdmissionPolicy",
		Validating: "ValidatingAdmissionPolicy",
	} {
		if got := (&PolicyRecord{Phase: phase}).Kind(); got != want {
			t.Errorf("%s: got %s, want %s", phase, got, want)
		}
	}
}

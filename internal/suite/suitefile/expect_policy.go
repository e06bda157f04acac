package suitefile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// PolicyOutcomes returns the outcomes of an evaluated policy, the worst first.
func PolicyOutcomes() []string {
	return []string{"error", "failed", "passed", "applied", "skipped"}
}

// checkPolicies is Check for the policies.
func (e *Expect) checkPolicies(wrong func(field string, err error)) {
	var names []string
	for i := range e.Policies {
		p, prefix := &e.Policies[i], fmt.Sprintf("policies[%d].", i)
		if err := checkCalled(names, p.Name); err != nil {
			wrong(prefix+"name", err)
		}
		names = append(names, p.Name)
		p.check(func(field string, err error) { wrong(prefix+field, err) })
	}
}

func (p *ExpectPolicy) check(wrong func(field string, err error)) {
	if p.Times != nil && *p.Times < 1 {
		wrong("times", fmt.Errorf("%d: must be 1 or more", *p.Times))
	}
	if all := PolicyOutcomes(); p.Outcome != "" && !slices.Contains(all, p.Outcome) {
		wrong("outcome", fmt.Errorf("%q: must be one of %s", p.Outcome, strings.Join(all, ", ")))
	}
	switch {
	case p.Why != nil && p.Evaluated != nil && *p.Evaluated:
		wrong("why", errors.New("only for policies that are not evaluated, but evaluated is true"))
	case p.Evaluated != nil && !*p.Evaluated:
		p.checkNotEvaluated(wrong, "evaluated is false")
	case p.Why != nil:
		p.checkNotEvaluated(wrong, "why is set, which is for policies that are not evaluated")
	}
}

// checkNotEvaluated reports fields that only an evaluated policy can have.
func (p *ExpectPolicy) checkNotEvaluated(wrong func(field string, err error), because string) {
	for _, f := range []struct {
		field string
		there bool
	}{{"times", p.Times != nil}, {"outcome", p.Outcome != ""}, {"message", p.Message != nil}} {
		if f.there {
			wrong(f.field, errors.New("only for policies that are evaluated, but "+because))
		}
	}
}

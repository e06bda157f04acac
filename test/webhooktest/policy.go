package webhooktest

import (
	"fmt"
	"slices"

	"example.com/gatehouse/internal/suite/suitefile"
)

// Policy are the expectations of a single admission policy: that it is
// evaluated, and further fields. Zero fields are not compared.
type Policy struct {
	// Name is POLICY, or POLICY/BINDING for one of its bindings. Required.
	Name string
	// NotEvaluated expects that the policy, or the binding, does not apply. Why,
	// only with NotEvaluated, is a regular expression for the reason, as in
	// `gatehouse explain`: "rules: …", "objectSelector: …" and so on.
	NotEvaluated bool
	Why          string
	// Times is the number of evaluations: one for each binding, param and round.
	Times int32
	// Outcome is the worst of the evaluations, the first of these: "error",
	// "failed" (a validation), "passed" or "applied", and "skipped" (a
	// matchCondition is false). Without it, any but an error is expected.
	Outcome string
	// Message is a regular expression for the message of a failed validation or of
	// an error.
	Message string
}

// Policy adds expectations of a single admission policy.
func (w Want) Policy(policy Policy) Want {
	if policy.Why != "" && !policy.NotEvaluated {
		w.check(fmt.Sprintf("Policy %q", policy.Name), errWhy("NotEvaluated"))
	}
	w.expect.Policies = append(slices.Clip(w.expect.Policies), policy.expectation())
	return w
}

// expectation returns the expectation in the form of a file.
func (p *Policy) expectation() suitefile.ExpectPolicy {
	return suitefile.ExpectPolicy{
		Name: p.Name, Evaluated: new(!p.NotEvaluated), Outcome: p.Outcome,
		Why: nonZero(p.Why), Times: nonZero(p.Times), Message: nonZero(p.Message),
	}
}

// errWhy is the error of a Why without the field that it belongs to.
func errWhy(field string) error { return fmt.Errorf("a Why requires %s", field) }

// nonZero returns a pointer to v, or nil if v is zero.
func nonZero[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

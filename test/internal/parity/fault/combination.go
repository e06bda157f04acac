package fault

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// Phase is one of the two phases of admission.
type Phase string

// The phases.
const (
	Mutating   Phase = "mutating"
	Validating Phase = "validating"
)

// metricType is the value that the phase has in the label "type" of metrics.
func (p Phase) metricType() string {
	if p == Mutating {
		return "admit"
	}
	return "validating"
}

// Combination is in which phase, and with which policy, a webhook fails.
type Combination struct {
	Phase  Phase
	Policy registrationv1.FailurePolicyType
}

// Combinations returns all four.
func Combinations() []Combination {
	return []Combination{
		{Mutating, registrationv1.Fail}, {Mutating, registrationv1.Ignore},
		{Validating, registrationv1.Fail}, {Validating, registrationv1.Ignore},
	}
}

// String is what Promise.When calls the combination, such as "mutating/Fail".
func (c Combination) String() string { return string(c.Phase) + "/" + string(c.Policy) }

// is reports whether text names the combination, its phase, its policy, or
// everything.
func (c Combination) is(text string) bool {
	switch text {
	case "", c.String(), string(c.Phase), string(c.Policy):
		return true
	}
	return false
}

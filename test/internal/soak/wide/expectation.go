package wide

import (
	"fmt"

	"example.com/gatehouse/admission"
)

// expectation is the expected outcome of a request.
type expectation struct {
	// err is the whole text of the error, "" for none.
	err string
	// labels are those that the object has afterwards beside its own.
	labels map[string]string
	// mutating and validating are the webhooks that are called; the mutating
	// ones in this order.
	mutating, validating []int
	// notes are the keys of the audit annotations, in order.
	notes []string
}

// expect computes the expected outcome of a request.
func (p plan) expect(number int) expectation {
	var e expectation
	for i := range p.each {
		e.mutating = append(e.mutating, i)
		switch p.act(admission.Mutating, i, number) {
		case alter:
			e.note("patch", i)
			e.note("mutation", i)
		case fault:
			e.note("mutation", i)
			e.note("failed-open.mutation", i)
		case refuse:
			// The object is then what it was before the first of them.
			e.note("mutation", i)
			e.err = denial(admission.Mutating, i, number)
			return e
		case agree:
			e.note("mutation", i)
		}
	}
	e.labels = p.labelsBefore(p.each, number)
	for i := range p.each {
		e.validating = append(e.validating, i)
		switch p.act(admission.Validating, i, number) {
		case refuse:
			// All are called; the first denial in order is returned.
			if e.err == "" {
				e.err = denial(admission.Validating, i, number)
			}
		case fault:
			e.note("failed-open.validating", i)
		case agree, alter:
		}
	}
	return e
}

func (e *expectation) note(kind string, index int) {
	e.notes = append(e.notes, fmt.Sprintf("%s.webhook.admission.k8s.io/round_0_index_%d", kind, index))
}

func denial(phase admission.Phase, index, number int) string {
	return fmt.Sprintf("admission webhook %q denied the request: %s", name(phase, index),
		refusal(index, number))
}

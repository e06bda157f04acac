package behaviour

import (
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/conformance/internal/check"
	"example.com/gatehouse/test/conformance/internal/probe"
)

// Checks returns the checks, in their order.
func Checks() []check.Check {
	repeats := &repeats{}
	return slices.Concat(
		alone(repeats), orders(), together(repeats), dryRuns(), identities(), mirrors(), patches(), latencies(),
	)
}

// mutates reports whether a webhook may change objects. If not, the record says so.
func mutates(w *probe.Webhook, r *check.Record) bool {
	if w.Phase != admission.Mutating {
		r.Lacks("it is a validating webhook, which changes nothing")
		return false
	}
	return true
}

// nothingToChange is what checks lack that look at changes of objects.
const nothingToChange = "the webhook has no good answer to a sample that has an object"

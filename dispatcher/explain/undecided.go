package explain

import (
	"errors"

	"example.com/gatehouse/admission"
)

// OutcomeNotReached is the Outcome of a call that the program did not attempt;
// see the option NotReached.
const OutcomeNotReached = "not reached"

// Undecided reports whether the verdict of a response is unknown, because it
// depends on a webhook that was not reached. notReached reports whether an
// error is that of such a webhook. If another webhook or the API server itself
// denied the request, the verdict is known.
func Undecided(r *admission.Response, notReached func(error) bool) bool {
	missing, blocked := false, false
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.Webhook == nil {
			continue // an incomplete record
		}
		lost := c.Err != nil && notReached(c.Err)
		if c.Rejects() {
			if !lost {
				return false
			}
			blocked = true
		}
		missing = missing || lost
	}
	if r.Allowed || blocked {
		return missing
	}
	// The request ended without a call, for example because the object could not
	// be converted.
	return r.Status != nil && notReached(errors.New(r.Status.Message))
}

package expect

import (
	"slices"

	"example.com/gatehouse/admission"
)

// failed reports failed calls that no expectation covers: otherwise a webhook
// that cannot be reached would pass for one that denies, or for one that makes
// no changes.
func (c *checker) failed(e *Expectation) {
	var reported []identity
	for i := range c.response.Calls {
		call := &c.response.Calls[i]
		who := identityOf(call.Webhook)
		how, failed := failure(call.Outcome)
		if !failed || slices.Contains(reported, who) || e.saysOutcome(call.Webhook) ||
			e.saysDenial() && c.denies(i) {
			continue
		}
		reported = append(reported, who)
		why := ""
		if call.Err != nil {
			why = c.safe(call.Err.Error())
		}
		c.fail("webhooks", "", call.Outcome.String(),
			"%s %s, which is not expected%s; outcome: %s would expect it",
			c.label(call.Webhook), how, afterColon(why), call.Outcome)
	}
}

// failure describes a failed call, and reports whether the call failed. A
// canceled call is not a failure of the webhook.
func failure(o admission.Outcome) (how string, failed bool) {
	switch o {
	case admission.FailedClosed, admission.FailedOpen, admission.Panicked:
		return o.String(), true
	case admission.Internal:
		return "ended with an " + o.String(), true
	case admission.Allowed, admission.Rejected, admission.Canceled:
		return "", false
	}
	return "", false
}

// saysOutcome reports whether an outcome is expected of the webhook.
func (e *Expectation) saysOutcome(w *admission.Webhook) bool {
	return slices.ContainsFunc(e.webhooks,
		func(want webhook) bool { return want.outcome != "" && want.target.has(w) })
}

// saysDenial reports whether the denial itself is compared: by code, reason or
// message, or because none is expected.
func (e *Expectation) saysDenial() bool {
	return e.allowed || e.code != nil || e.reason != nil || e.message != nil
}

// denies reports whether a call denied the request: the first one, if several
// did.
func (c *checker) denies(i int) bool {
	calls := c.response.Calls
	return !c.response.Allowed &&
		i == slices.IndexFunc(calls, func(call admission.Call) bool { return call.Rejects() })
}

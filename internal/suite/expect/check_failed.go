package expect

import (
	"slices"

	"example.com/gatehouse/admission"
)

// failed reports the webhooks with which something went wrong and of which nobody expects
// that: otherwise one that cannot be reached would pass for one that says no, or for one
// that has nothing to say.
func (c *checker) failed(e *Expectation) {
	var told []identity
	for i := range c.response.Calls {
		call := &c.response.Calls[i]
		who := identityOf(call.Webhook)
		how, failed := failure(call.Outcome)
		if !failed || slices.Contains(told, who) || e.saysOutcome(call.Webhook) || e.saysDenial() && c.denies(i) {
			continue
		}
		told = append(told, who)
		why := ""
		if call.Err != nil {
			why = c.safe(call.Err.Error())
		}
		c.fail("webhooks", "", call.Outcome.String(), "%s %s, which is not expected%s; outcome: %s would expect it",
			c.label(call.Webhook), how, after(why), call.Outcome)
	}
}

// failure says of a call in words that something went wrong, and reports whether it did.
// Who gives up on a request is not the webhook.
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

// saysOutcome reports whether something is said about how the calls of a webhook end.
func (e *Expectation) saysOutcome(w *admission.Webhook) bool {
	return slices.ContainsFunc(e.webhooks, func(want webhook) bool { return want.outcome != "" && want.target.has(w) })
}

// saysDenial reports whether a denial is looked at more closely: it is known what it says,
// or there should be none, which is a failure already.
func (e *Expectation) saysDenial() bool {
	return e.allowed || e.code != nil || e.reason != nil || e.message != nil
}

// denies reports whether a call is the one that denied the request: the first, if several
// would have.
func (c *checker) denies(i int) bool {
	calls := c.response.Calls
	return !c.response.Allowed && i == slices.IndexFunc(calls, func(call admission.Call) bool { return call.Rejects() })
}

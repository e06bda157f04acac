package expect

import (
	"fmt"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// reasons returns why a webhook was not called in any round: "STAGE: REASON",
// one for each round.
func (c *checker) reasons(w *admission.Webhook) []string {
	if found := c.skipped(w); len(found) > 0 {
		return found
	}
	return []string{c.notReached()}
}

// skipped returns the reasons of the rounds in which a webhook was considered
// and not called.
func (c *checker) skipped(w *admission.Webhook) []string {
	var found []string
	rounds := c.explain().Rounds
	for i := range rounds {
		if rounds[i].Phase != w.Phase.String() {
			continue
		}
		for j := range rounds[i].Webhooks {
			e := &rounds[i].Webhooks[j]
			if e.Called || e.UID != w.UID {
				continue
			}
			if text := c.reason(e); !slices.Contains(found, text) {
				found = append(found, text)
			}
		}
	}
	return found
}

func (c *checker) reason(w *explain.Webhook) string {
	if w.Stage == admission.StagePassed.String() && w.Error == "" {
		return c.notReached()
	}
	return w.Stage + ": " + w.Reason
}

// notReached returns the reason for a webhook after the end of the request. An
// explanation may omit the webhook, and the reason should name what ended the
// request.
func (c *checker) notReached() string { return "not reached: " + c.endedBy() }

// endedBy returns what ended the request: a call, the matching of a webhook, or
// another error.
func (c *checker) endedBy() string {
	r := c.response
	for i := range r.Calls {
		if call := &r.Calls[i]; call.Rejects() {
			return fmt.Sprintf("the request ended with %s: %s", c.label(call.Webhook), call.Outcome)
		}
	}
	for i := range r.Matches {
		if m := &r.Matches[i]; m.Err != nil {
			return fmt.Sprintf("the request ended when %s was matched", c.label(m.Webhook))
		}
	}
	if message := c.message(); message != "" {
		return "the request ended before: " + message
	}
	return "the request ended before"
}

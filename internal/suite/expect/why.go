package expect

import (
	"fmt"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// reasons say why a webhook was not called, of which there was no call at all: "STAGE:
// REASON", for each of the rounds.
func (c *checker) reasons(w *admission.Webhook) []string {
	if found := c.skipped(w); len(found) > 0 {
		return found
	}
	return []string{c.notReached()}
}

// skipped has the reasons of the rounds in which a webhook was considered and not called.
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

// notReached is for a webhook that the request did not live to see. An explanation need not
// have it at all, and whoever waits for its call wants to know who ended the request.
func (c *checker) notReached() string { return "not reached: " + c.ended() }

// ended says who ended the request: a call, a webhook's matching, or somebody else.
func (c *checker) ended() string {
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
	return "the request did not come to it"
}

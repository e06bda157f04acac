package parity

import (
	"fmt"
	"slices"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/test/internal/parity/harness"
)

// explanations compares explanations with what happened: exactly the webhooks
// that they name as called were called, and the others have a reason.
type explanations struct {
	called, skipped, changed int
	failures                 []string
}

// watch checks one observation.
func (e *explanations) watch(side harness.Side, o *harness.Observation) {
	if side != harness.Explained {
		return
	}
	explanation, received := o.Explanation()
	c := checking{Explanation: explanation, received: received}
	c.check()
	e.failures = append(e.failures, c.failures...)
	e.called, e.skipped, e.changed = e.called+c.called, e.skipped+c.skipped, e.changed+c.changed
}

func (e *explanations) String() string {
	return fmt.Sprintf("explained: %d webhooks called, %d not, %d calls with changes", e.called, e.skipped, e.changed)
}

// checking compares an explanation with the uids of the reviews that webhooks
// received.
type checking struct {
	*explain.Explanation
	received                 []string
	explained                []string
	called, skipped, changed int
	failures                 []string
}

func (c *checking) check() {
	for _, r := range c.Rounds {
		for i := range r.Webhooks {
			c.webhook(&r.Webhooks[i])
		}
	}
	for _, uid := range c.received {
		if !slices.Contains(c.explained, uid) {
			c.fail("a webhook got the review " + uid + ", of which the explanation does not know")
		}
	}
	c.failures = append(c.failures, c.Problems...)
}

func (c *checking) webhook(w *explain.Webhook) {
	if w.Called != (w.Call != nil) || w.Called != (w.Stage == "matched" && w.Error == "" && w.Reason == "") {
		c.fail(w.Name + ": called or not? stage " + w.Stage + ", reason " + w.Reason)
	}
	if !w.Called {
		c.skipped++
		if w.Reason == "" && w.Error == "" {
			c.fail(w.Name + ": no reason")
		}
		return
	}
	c.called++
	c.explained = append(c.explained, w.Call.UID)
	if w.Call.StatusCode != 0 && !slices.Contains(c.received, w.Call.UID) {
		c.fail(w.Name + ": it has answered a review that it did not get")
	}
	if len(w.Call.Changes) > 0 {
		c.changed++
	}
}

func (c *checking) fail(text string) { c.failures = append(c.failures, text) }

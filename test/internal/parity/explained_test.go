package parity

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/test/internal/parity/generate"
	"example.com/gatehouse/test/internal/parity/harness"
)

// TestExplained compares explanations with what happened: exactly the webhooks
// that they name as called were called, and the others have a reason.
// Explaining must not change anything, so the side is compared with upstream as
// well.
func TestExplained(t *testing.T) {
	h := newHarness(t)
	var called, skipped, changed int
	var failures []string
	h.Watch(func(side harness.Side, o *harness.Observation) {
		if e, received := o.Explanation(); side == harness.Explained {
			c := checking{Explanation: e, received: received}
			c.check()
			failures = append(failures, c.failures...)
			called, skipped, changed = called+c.called, skipped+c.skipped, changed+c.changed
		}
	})
	check(t, *cases, func(t *rapid.T) {
		s := generate.Scenario(t)
		failures = nil
		found, err := h.Run(t.Context(), &s, harness.Explained)
		if err != nil {
			t.Fatalf("%v\n%s", err, text(&s))
		}
		for _, d := range found {
			t.Error(d)
		}
		for _, f := range failures {
			t.Error(f)
		}
		if t.Failed() {
			t.Logf("the scenario:\n%s", text(&s))
		}
	})
	compared.say("explained: %d webhooks called, %d not, %d calls with changes", called, skipped, changed)
	if *cases >= enough && (called == 0 || skipped == 0 || changed == 0) {
		t.Error("something never happened")
	}
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

package explain

import (
	"fmt"
	"strings"
)

func (e *Explanation) growWebhook(t *twig, r *Round, w *Webhook, o *TreeOptions) {
	name := printable(w.Name) + " (" + printable(w.Configuration)
	if w.Static {
		name += ", static"
	}
	name += ")"
	if w.Call != nil {
		w.growCall(t, name, o)
		return
	}
	if w.Error != "" {
		below := t.add(bad, "%s ended the request while it was matched", name)
		below.add(bad, "%s", printable(w.Error))
		w.growEvidence(below, o)
		return
	}
	if e.saidBefore(r, w) {
		t.add(faint, "%s not called, as before", name)
		return
	}
	if o.Short {
		t.add(faint, "%s not called: %s: %s", name, printable(w.Stage), printable(w.Reason))
		return
	}
	below := t.add(faint, "%s not called: %s", name, printable(w.Stage))
	below.add(plain, "%s", printable(w.Reason))
	w.growEvidence(below, o)
}

// saidBefore reports whether a webhook was not called in round 0 either, and for the same
// reason.
func (e *Explanation) saidBefore(r *Round, w *Webhook) bool {
	if r.Round == 0 {
		return false
	}
	for i := range e.Rounds {
		for j := range e.Rounds[i].Webhooks {
			first := &e.Rounds[i].Webhooks[j]
			if e.Rounds[i].Phase == r.Phase && e.Rounds[i].Round == 0 && first.UID == w.UID {
				return !first.Called && first.Stage == w.Stage && first.Reason == w.Reason
			}
		}
	}
	return false
}

// growEvidence shows what reasons leave out, and the hint.
func (w *Webhook) growEvidence(t *twig, o *TreeOptions) {
	if o.Short {
		return
	}
	for i := range w.Match.Conditions {
		w.Match.Conditions[i].grow(t)
	}
	if target := w.Match.Target; w.Match.Equivalent && target != nil {
		version := strings.Trim(target.Kind.Group+"/"+target.Kind.Version, "/")
		t.add(faint, "its rules match an equivalent resource: it is shown %s %s", printable(version), printable(target.Kind.Kind))
	}
	if w.Hint != "" {
		t.add(notable, "hint: %s", printable(w.Hint))
	}
}

func (c *Condition) grow(t *twig) {
	name, expression := printable(c.Name), printable(c.Expression)
	switch {
	case c.Error != "":
		below := t.add(bad, "matchCondition %s failed: %s", name, expression)
		below.add(bad, "%s", printable(c.Error))
	case c.Value != nil:
		t.add(faint, "matchCondition %s is %t: %s (cost %d)", name, *c.Value, expression, c.Cost)
	}
}

func (w *Webhook) growCall(t *twig, name string, o *TreeOptions) {
	c := w.Call
	below := t.add(c.color(), "%s %s in %s", name, printable(c.Outcome), length(c.Seconds))
	if c.Error != "" {
		below.add(below.color, "%s", printable(c.Error))
	}
	if c.Policy != "" {
		below.add(plain, "%s", printable(c.Policy))
	}
	if !o.Short {
		c.growWay(below)
		w.growEvidence(below, o)
	}
	c.growChanges(below, o)
	c.growRemarks(below, o)
}

// color is green only for webhooks that did what they were called for.
func (c *Call) color() color {
	switch c.Outcome {
	case "allowed":
		return good
	case "failed open":
		return notable
	}
	return bad
}

// growWay shows how the webhook was reached, and where the time went.
func (c *Call) growWay(t *twig) {
	if c.Fault != "" {
		t.add(notable, "the fault %s answered in its place", printable(c.Fault))
	}
	if c.URL == "" {
		return
	}
	text := "POST " + printable(c.URL)
	if c.Address != "" {
		text += " at " + printable(c.Address)
	}
	if c.StatusCode != 0 {
		text += fmt.Sprintf(": %d", c.StatusCode)
	}
	below := t.add(faint, "%s", text)
	if c.TLS != "" {
		below.add(faint, "%s, %s", printable(c.Protocol), printable(c.TLS))
	}
	if times := c.times(); times != "" {
		below.add(faint, "%s", times)
	}
}

// times says where the time went, and leaves out what there was not.
func (c *Call) times() string {
	if c.Timing == nil {
		return ""
	}
	var parts []string
	if c.Reused {
		parts = append(parts, "connection reused")
	}
	for _, part := range []struct {
		name    string
		seconds float64
	}{{"connect", c.Timing.Connect}, {"TLS", c.Timing.TLS}, {"wait", c.Timing.Wait}, {"read", c.Timing.Read}} {
		if part.seconds > 0 {
			parts = append(parts, part.name+" "+length(part.seconds))
		}
	}
	return strings.Join(parts, ", ")
}

// growChanges shows what the patch did and, apart from it, what defaults did to that.
func (c *Call) growChanges(t *twig, o *TreeOptions) {
	shown := &twig{}
	for i := range c.Changes {
		shown.add(plain, "%s", c.Changes[i].line())
	}
	shown.prune()
	t.twigs = append(t.twigs, shown.twigs...)
	if len(c.Changes) == 0 && c.Mutated {
		t.add(plain, "the object was changed")
	}
	if o.Short || len(c.Defaulted) == 0 {
		return
	}
	defaults := t.add(faint, "defaults after it")
	for i := range c.Defaulted {
		defaults.add(faint, "%s", c.Defaulted[i].line())
	}
	defaults.prune()
}

// growRemarks shows what the webhook had to say.
func (c *Call) growRemarks(t *twig, o *TreeOptions) {
	remarks := &twig{}
	for _, text := range c.Warnings {
		remarks.add(notable, "warning: %s", printable(text))
	}
	if !o.Short {
		for _, key := range sortedKeys(c.AuditAnnotations) {
			remarks.add(faint, "audit annotation %s: %s", printable(key), printable(c.AuditAnnotations[key]))
		}
	}
	remarks.prune()
	t.twigs = append(t.twigs, remarks.twigs...)
	if c.Dropped > 0 {
		t.add(notable, "too many warnings or annotations: %d were dropped", c.Dropped)
	}
}

package explain

import (
	"fmt"
	"strings"
)

func (a *analyzer) buildWebhook(n *node, r *Round, w *Webhook, o *TreeOptions) {
	name := printable(w.Name)
	switch {
	case w.Static:
		name += " (" + printable(w.Configuration) + ", static)"
	case w.Configuration != "": // audit logs do not have it of all webhooks
		name += " (" + printable(w.Configuration) + ")"
	}
	if w.Call != nil {
		w.buildCall(n, name, o)
		return
	}
	if w.Error != "" {
		child := n.add(bad, "%s ended the request while it was matched", name)
		child.add(bad, "%s", printable(w.Error))
		w.buildEvidence(child, o)
		return
	}
	if a.e.skippedAsBefore(r, w) {
		n.add(faint, "%s not called, as before", name)
		return
	}
	if o.Short || !o.Hints && !a.nearMiss(w) {
		n.add(faint, "%s not called: %s: %s", name, printable(w.Stage), printable(w.Reason))
		return
	}
	child := n.add(faint, "%s not called: %s", name, printable(w.Stage))
	child.add(plain, "%s", printable(w.Reason))
	w.buildEvidence(child, o)
}

// skippedAsBefore reports whether a webhook was not called in round 0 for the
// same reason.
func (e *Explanation) skippedAsBefore(r *Round, w *Webhook) bool {
	if r.Round == 0 {
		return false
	}
	for other, first := range e.webhooks() {
		if other.Phase == r.Phase && other.Round == 0 && first.UID == w.UID {
			return !first.Called && first.Stage == w.Stage && first.Reason == w.Reason
		}
	}
	return false
}

// buildEvidence adds the evaluated conditions, the equivalent resource and the
// hint.
func (w *Webhook) buildEvidence(n *node, o *TreeOptions) {
	if o.Short {
		return
	}
	for i := range w.Match.Conditions {
		w.Match.Conditions[i].build(n)
	}
	if target := w.Match.Target; w.Match.Equivalent && target != nil {
		version := strings.Trim(target.Kind.Group+"/"+target.Kind.Version, "/")
		n.add(faint, "its rules match an equivalent resource: it receives %s %s", printable(version),
			printable(target.Kind.Kind))
	}
	if w.Hint != "" {
		n.add(notable, "hint: %s", printable(w.Hint))
	}
}

func (c *Condition) build(n *node) {
	name, expression := printable(c.Name), printable(c.Expression)
	switch {
	case c.Error != "":
		child := n.add(bad, "matchCondition %s failed: %s", name, expression)
		child.add(bad, "%s", printable(c.Error))
	case c.Value != nil:
		n.add(faint, "matchCondition %s is %t: %s (cost %d)", name, *c.Value, expression, c.Cost)
	}
}

func (w *Webhook) buildCall(n *node, name string, o *TreeOptions) {
	c := w.Call
	child := n.add(c.color(), "%s %s", name, printable(c.Outcome))
	if c.Seconds > 0 {
		child.text += " in " + formatSeconds(c.Seconds)
	}
	if c.Error != "" {
		child.add(child.color, "%s", printable(c.Error))
	}
	if c.Policy != "" {
		child.add(plain, "%s", printable(c.Policy))
	}
	if c.Hint != "" {
		child.add(notable, "hint: %s", printable(c.Hint))
	}
	if !o.Short {
		c.buildConnection(child)
		w.buildEvidence(child, o)
	}
	c.buildChanges(child, o)
	c.buildRemarks(child, o)
}

// color is green only for allowed calls.
func (c *Call) color() color {
	switch c.Outcome {
	case "allowed":
		return good
	case "failed open", OutcomeNotReached:
		return notable
	}
	return bad
}

// buildConnection adds the connection and the timings.
func (c *Call) buildConnection(n *node) {
	if c.Fault != "" {
		n.add(notable, "the fault %s answered in its place", printable(c.Fault))
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
	child := n.add(faint, "%s", text)
	if c.TLS != "" {
		child.add(faint, "%s, %s", printable(c.Protocol), printable(c.TLS))
	}
	if times := c.timings(); times != "" {
		child.add(faint, "%s", times)
	}
}

// timings lists the timings that are not zero.
func (c *Call) timings() string {
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
			parts = append(parts, part.name+" "+formatSeconds(part.seconds))
		}
	}
	return strings.Join(parts, ", ")
}

// buildChanges adds the changes of the patch, and separately those of
// defaulting.
func (c *Call) buildChanges(n *node, o *TreeOptions) {
	shown := &node{}
	for i := range c.Changes {
		shown.add(plain, "%s", c.Changes[i].String())
	}
	shown.truncate()
	n.children = append(n.children, shown.children...)
	if len(c.Changes) == 0 && c.Mutated {
		n.add(plain, "the object was changed")
	}
	if o.Short || len(c.Defaulted) == 0 {
		return
	}
	defaults := n.add(faint, "defaults after it")
	for i := range c.Defaulted {
		defaults.add(faint, "%s", c.Defaulted[i].String())
	}
	defaults.truncate()
}

// buildRemarks adds the webhook's warnings, and as a detail its audit
// annotations.
func (c *Call) buildRemarks(n *node, o *TreeOptions) {
	remarks := &node{}
	for _, text := range c.Warnings {
		remarks.add(notable, "warning: %s", printable(text))
	}
	if o.Details {
		for _, key := range sortedKeys(c.AuditAnnotations) {
			remarks.add(faint, "audit annotation %s: %s", printable(key), printable(c.AuditAnnotations[key]))
		}
	}
	remarks.truncate()
	n.children = append(n.children, remarks.children...)
	if c.Dropped > 0 {
		n.add(notable, "too many warnings or annotations: %d were dropped", c.Dropped)
	}
}

package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// trunk makes the tree.
func (e *Explanation) trunk(o *TreeOptions) *twig {
	t := &twig{text: e.title() + ": admitted", color: good}
	if !e.Allowed {
		t.text, t.color = e.title()+": denied", bad
	}
	if e.Status != nil {
		t.add(bad, "%d %s: %s", e.Status.Code, printable(string(e.Status.Reason)), printable(e.Status.Message))
	}
	for _, text := range e.Warnings {
		t.add(notable, "warning: %s", printable(text))
	}
	for i := range e.Rounds {
		e.Rounds[i].grow(t, o)
	}
	if !o.Short {
		e.remains(t)
	}
	for _, text := range e.Redacted {
		t.add(faint, "not shown: %s", text)
	}
	for _, text := range e.Problems {
		t.add(bad, "not explained: %s", printable(text))
	}
	return t
}

// title names the request.
func (e *Explanation) title() string {
	r := &e.Request
	at := r.Resource.Resource
	if r.Resource.Group != "" {
		at += "." + r.Resource.Group
	}
	text := printable(r.Operation + " " + at + "/" + r.Name)
	if r.Subresource != "" {
		text += "/" + printable(r.Subresource)
	}
	if r.Namespace != "" && r.Resource.Resource != "namespaces" {
		text += " in " + printable(r.Namespace)
	}
	if r.User.Name != "" {
		text += " by " + printable(r.User.Name)
	}
	if r.DryRun {
		text += " (dry run)"
	}
	return text
}

func (r *Round) grow(t *twig, o *TreeOptions) {
	below := &twig{text: fmt.Sprintf("%s, round %d", r.Phase, r.Round)}
	if r.Phase == validating {
		below.text = r.Phase
	}
	if r.Cause != "" {
		below.text += ": " + printable(r.Cause)
	}
	for i := range r.Webhooks {
		if w := &r.Webhooks[i]; o.Webhook == "" || o.Webhook == w.Name {
			w.grow(below, o)
		}
	}
	if len(below.twigs) > 0 || o.Webhook == "" {
		t.twigs = append(t.twigs, below)
	}
}

func (w *Webhook) grow(t *twig, o *TreeOptions) {
	name := printable(w.Name) + " (" + printable(w.Configuration) + ")"
	if w.Call != nil {
		w.Call.grow(t, name, w, o)
		return
	}
	below := t.add(faint, "%s not called: %s", name, w.Stage)
	if w.Error != "" {
		below.color, below.text = bad, name+" ended the request while matching"
		below.add(bad, "%s", printable(w.Error))
	} else if w.Reason != "" {
		below.add(plain, "%s", printable(w.Reason))
	}
	if w.Hint != "" {
		below.add(notable, "hint: %s", printable(w.Hint))
	}
	if !o.Short {
		w.Match.grow(below)
	}
}

// grow shows the evidence that reasons leave out.
func (m *Match) grow(t *twig) {
	for _, c := range m.Conditions {
		switch {
		case c.Error != "":
			t.add(bad, "matchCondition %s: %s: %s", printable(c.Name), printable(c.Expression), printable(c.Error))
		case c.Value != nil:
			t.add(faint, "matchCondition %s is %t at a cost of %d: %s", printable(c.Name), *c.Value, c.Cost, printable(c.Expression))
		}
	}
	if m.Equivalent && m.Target != nil {
		g := m.Target.Kind
		t.add(faint, "matched as the equivalent %s", strings.Trim(g.Group+"/"+g.Version+" "+g.Kind, "/"))
	}
}

func (c *Call) grow(t *twig, name string, w *Webhook, o *TreeOptions) {
	below := t.add(good, "%s %s in %s", name, c.Outcome, length(c.Seconds))
	if c.Outcome != "allowed" {
		below.color = bad
	}
	if c.Outcome == "failed open" {
		below.color = notable
	}
	if c.Error != "" {
		below.add(below.color, "%s", printable(c.Error))
	}
	if c.Policy != "" {
		below.add(plain, "%s", c.Policy)
	}
	if !o.Short {
		c.way(below)
		w.Match.grow(below)
	}
	for _, change := range c.Changes {
		below.add(plain, "%s", change.line())
	}
	if len(c.Changes) == 0 && c.Mutated {
		below.add(plain, "changed the object")
	}
	if !o.Short {
		for _, change := range c.Defaulted {
			below.add(faint, "default %s", change.line())
		}
	}
	for _, text := range c.Warnings {
		below.add(notable, "warning: %s", printable(text))
	}
	for _, key := range sortedKeys(c.AuditAnnotations) {
		if !o.Short {
			below.add(faint, "audit annotation %s: %s", printable(key), printable(c.AuditAnnotations[key]))
		}
	}
	if c.Dropped > 0 {
		below.add(notable, "%d warnings and annotations dropped: they were too many", c.Dropped)
	}
}

// way shows how the webhook was reached, and where the time went.
func (c *Call) way(t *twig) {
	if c.Fault != "" {
		t.add(notable, "the fault %s answered in its place", printable(c.Fault))
	}
	if c.URL == "" {
		return
	}
	text := "POST " + printable(c.URL)
	if c.Address != "" {
		text += " at " + c.Address
	}
	if c.StatusCode != 0 {
		text += fmt.Sprintf(": %d", c.StatusCode)
	}
	below := t.add(faint, "%s", text)
	if c.TLS != "" {
		below.add(faint, "%s, %s", c.Protocol, printable(c.TLS))
	}
	if g := c.Timing; g != nil && (c.Reused || g.Connect > 0) {
		connect := "connect " + length(g.Connect)
		if c.Reused {
			connect = "connection reused"
		}
		below.add(faint, "%s, TLS %s, wait %s, read %s", connect, length(g.TLS), length(g.Wait), length(g.Read))
	}
}

// length is a duration as people read it.
func length(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

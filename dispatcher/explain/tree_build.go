package explain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// buildTree builds the tree.
func (e *Explanation) buildTree(o *TreeOptions) *node {
	n := &node{text: e.title() + ": admitted", color: good}
	switch {
	case e.Undecided:
		n.text, n.color = e.title()+": not known, because a webhook was not reached", notable
	case !e.Allowed:
		n.text, n.color = e.title()+": denied", bad
		if e.Status == nil {
			n.text = e.title() + ": ended between the phases"
		}
	}
	if o.Fields {
		e.buildFields(n)
	} else {
		e.buildVerdict(n)
		e.buildRounds(n, o)
		if !o.Short {
			e.buildOthers(n)
			e.buildFights(n)
		}
		if o.Details {
			e.buildDetails(n)
		}
	}
	for _, text := range e.Redacted {
		n.add(faint, "not shown: %s", printable(text))
	}
	for _, text := range e.Problems {
		n.add(bad, "not explained: %s", printable(text))
	}
	return n
}

// title describes the request in one line.
func (e *Explanation) title() string {
	r := &e.Request
	at := r.Resource.Resource
	if r.Resource.Group != "" {
		at += "." + r.Resource.Group
	}
	text := printable(r.Operation + " " + at)
	if name := e.objectName(); name != "" {
		text += "/" + printable(name)
	}
	if r.Subresource != "" {
		text += "/" + printable(r.Subresource)
	}
	// The namespace of a namespace is its own name.
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

// objectName returns the name of the request, or the name that was generated,
// or the prefix for generating one.
func (e *Explanation) objectName() string {
	if e.Request.Name != "" {
		return e.Request.Name
	}
	for _, object := range []json.RawMessage{e.Object, e.Request.Object, e.Request.OldObject} {
		var named struct {
			Metadata struct{ Name, GenerateName string }
		}
		if json.Unmarshal(object, &named) != nil {
			continue // absent, or not an object
		}
		if name := cmp.Or(named.Metadata.Name, named.Metadata.GenerateName); name != "" {
			return name
		}
	}
	return ""
}

// buildVerdict adds the status and the warnings that the user receives.
func (e *Explanation) buildVerdict(n *node) {
	if e.Status != nil && !e.blocked() {
		what := strings.TrimSuffix(
			fmt.Sprintf("%d %s", e.Status.Code, printable(string(e.Status.Reason))), " ")
		n.add(bad, "%s: %s", what, printable(e.Status.Message))
	}
	if e.DeniedBy != "" {
		n.add(bad, "denied by %s, not by a webhook", printable(e.DeniedBy))
	}
	for _, text := range e.Warnings {
		n.add(notable, "warning: %s", printable(text))
	}
}

// blocked reports whether the Status is only that of a webhook that was not
// reached, which no client receives.
func (e *Explanation) blocked() bool {
	found := false
	e.eachCall(func(_ *Webhook, c *Call) { found = found || c.Outcome == OutcomeNotReached })
	return e.Undecided && found
}

func (e *Explanation) buildRounds(n *node, o *TreeOptions) {
	if len(e.Rounds) == 0 {
		n.add(faint, "no webhook was considered")
	}
	a := newAnalyzer(e)
	for i := range e.Rounds {
		r := &e.Rounds[i]
		if !o.Hints && r.Round > 0 && !r.hasCalls() {
			continue // round 0 has the reasons
		}
		child := n.add(plain, "%s", r.title())
		for j := range r.Policies {
			r.Policies[j].build(child, o)
		}
		for j := range r.Webhooks {
			a.buildWebhook(child, r, &r.Webhooks[j], o)
		}
	}
}

// hasCalls reports whether a webhook of the round was called, or an error ended
// the request before that, or a policy was evaluated.
func (r *Round) hasCalls() bool {
	for i := range r.Policies {
		if slices.ContainsFunc(r.Policies[i].Bindings,
			func(b PolicyBinding) bool { return len(b.Evaluations) > 0 }) {
			return true
		}
	}
	return slices.ContainsFunc(r.Webhooks, func(w Webhook) bool { return w.Called || w.Error != "" })
}

func (r *Round) title() string {
	text := printable(r.Phase)
	if r.Phase != validating {
		text += fmt.Sprintf(", round %d", r.Round)
	}
	if r.Cause != "" {
		text += ": " + printable(r.Cause)
	}
	return text
}

// buildDetails adds annotations and metrics.
func (e *Explanation) buildDetails(n *node) {
	if len(e.AuditAnnotations) > 0 {
		child := n.add(plain, "audit annotations")
		for _, a := range e.AuditAnnotations {
			child.add(faint, "%s: %s", printable(a.Key), printable(a.Value))
		}
		child.truncate()
	}
	if len(e.Metrics) > 0 {
		child := n.add(plain, "metrics")
		for i := range e.Metrics {
			child.add(faint, "%s", e.Metrics[i].line())
		}
		child.truncate()
	}
}

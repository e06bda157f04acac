package whatif

import (
	"cmp"
	"strings"

	"example.com/gatehouse/dispatcher/explain"
)

// explainItems adds the reasons why webhooks were not called and policies not
// evaluated. Requests with different reasons are in different groups.
func explainItems(items []Item, before, after *Outcome, n *naming) {
	var old, now *explain.Explanation
	for i := range items {
		item := &items[i]
		if item.Field != Call && item.Field != Policy {
			continue
		}
		if old == nil {
			old, now = before.Explain(explain.ReasonsOnly()), after.Explain(explain.ReasonsOnly())
		}
		here := item.call
		if here.policy {
			kind := policies[here.phase]
			here.owner, here.child = n.nowOwner(kind, here.owner), n.nowOwner(kind+"Binding", here.child)
		} else {
			here.owner, here.child = n.now(here.phase, here.owner, here.child)
		}
		if item.Before == "" {
			item.ReasonBefore, item.was = reasonOf(old, item.call)
		}
		if item.After == "" {
			item.ReasonAfter, item.is = reasonOf(now, here)
		}
	}
}

// reasonOf returns the reason why a webhook was not called, or a policy not evaluated,
// and the stage of matching with its evidence.
func reasonOf(e *explain.Explanation, c call) (reason, stage string) {
	reason = "the request ended before"
	for i := range e.Rounds {
		r := &e.Rounds[i]
		if r.Phase != c.phase || r.Round != c.round {
			continue
		}
		if c.policy {
			return reasonOfPolicy(r, c)
		}
		for j := range r.Webhooks {
			w := &r.Webhooks[j]
			if w.Configuration == c.owner && w.Name == c.child {
				return reasonAt(w.Stage, cmp.Or(w.Error, w.Reason), w.Hint, &w.Match)
			}
		}
	}
	return reason, "absent"
}

func reasonOfPolicy(r *explain.Round, c call) (reason, stage string) {
	for i := range r.Policies {
		p := &r.Policies[i]
		if p.Name != c.owner {
			continue
		}
		if !p.Applies {
			return reasonAt(p.Stage, cmp.Or(p.Error, p.Reason), p.Hint, &p.Match)
		}
		for j := range p.Bindings {
			b := &p.Bindings[j]
			if b.Name == c.child {
				return reasonAt("binding "+b.Stage, cmp.Or(b.Error, b.Reason), b.Hint, &b.Match)
			}
		}
		return "the binding does not exist", "no binding"
	}
	return "the policy does not exist", "absent"
}

// reasonAt joins a reason and its hint. The evidence of the stage does not depend on
// the request.
func reasonAt(stage, reason, hint string, m *explain.Match) (text, evidence string) {
	text = stage
	if reason != "" {
		text += ": " + reason
	}
	if hint != "" && hint != reason {
		text += " (" + hint + ")"
	}
	evidence = stage + " " + strings.Join(m.RuleMisses, ",")
	for i := range m.Conditions {
		c := &m.Conditions[i]
		if c.Error != "" || c.Value != nil && !*c.Value {
			evidence += " " + c.Name
		}
	}
	return strings.Join(strings.Fields(text), " "), evidence
}

package equivalence

import (
	"encoding/json"
	"fmt"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
)

// Verdict returns "allowed" or "denied".
func (a *Answer) Verdict() string {
	if a.Response.Allowed {
		return "allowed"
	}
	return "denied"
}

// Reasons returns why the side gave the answer, in lines: the message of a denial, or the
// outcome of each webhook and policy, as in package explain, without secrets.
func (a *Answer) Reasons() []string {
	e := a.Explain()
	if e.Status != nil {
		return []string{message.Escaped(e.Status.Message)}
	}
	var all []string
	for i := range e.Rounds {
		r := &e.Rounds[i]
		for j := range r.Policies {
			all = append(all, policyReasons(&r.Policies[j])...)
		}
		for j := range r.Webhooks {
			w := &r.Webhooks[j]
			reason := "not called: " + w.Reason
			if w.Call != nil {
				reason = w.Call.Outcome
			}
			all = append(all, message.Escaped("webhook "+w.Configuration+"/"+w.Name+": "+reason))
		}
	}
	for _, w := range e.Warnings {
		all = append(all, "warning: "+message.Escaped(w))
	}
	return all
}

func policyReasons(p *explain.Policy) []string {
	var all []string
	add := func(format string, args ...any) {
		all = append(all, message.Escaped(p.Kind+" "+p.Name+": "+fmt.Sprintf(format, args...)))
	}
	if !p.Applies {
		add("does not apply: %s%s", p.Reason, p.Error)
		return all
	}
	if len(p.Bindings) == 0 {
		add("has no bindings")
	}
	for i := range p.Bindings {
		b := &p.Bindings[i]
		if !b.Applies {
			add("the binding %s does not apply: %s%s", b.Name, b.Reason, b.Error)
		}
		for j := range b.Evaluations {
			add("%s", evaluationReason(&b.Evaluations[j]))
		}
	}
	return all
}

// evaluationReason describes the outcome of an evaluation for an allowed request.
func evaluationReason(e *explain.PolicyEvaluation) string {
	switch {
	case e.Excluded != "":
		return "the condition " + e.Excluded + " is false"
	case e.Error != "":
		return "failed: " + e.Error
	}
	for i := range e.Expressions {
		if x := &e.Expressions[i]; x.Error != "" {
			return x.Field + " failed, which the policy ignores: " + x.Error
		}
	}
	changes := 0
	for i := range e.Mutations {
		changes += len(e.Mutations[i].Changes)
	}
	if changes > 0 {
		return "made " + message.Count(changes, "change")
	}
	return "allowed"
}

// Changes returns how the object after the second answer differs from that after the
// first; nil unless both allow the request.
func (c *Counterexample) Changes() ([]explain.Change, error) {
	if c.Aspect != Object {
		return nil, nil
	}
	before, err := json.Marshal(c.Before.object)
	if err != nil {
		return nil, err
	}
	after, err := json.Marshal(c.After.object)
	if err != nil {
		return nil, err
	}
	return explain.Diff(before, after)
}

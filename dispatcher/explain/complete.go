package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"example.com/gatehouse/internal/engine/guard"
)

// Complete derives from the records in e its reasons, hints, causes and
// changes, and from the states of the object, oldest first, the writer of each
// field. Then it redacts confidential values. Response calls it; tools that
// build Explanations from other records can call it, too.
func Complete(e *Explanation, states []State, all ...Option) {
	o := newOptions(all)
	e.Metrics = o.metrics
	e.addFaults(o)
	states = o.addSent(states)
	if !o.reasons {
		e.recoverPart("changes", func() { e.addChanges(states) })
	}
	e.recoverPart("reasons", e.addReasons)
	if !o.reasons {
		e.recoverPart("fields", func() {
			e.addFields(states)
			e.dropEncoded(o.like)
		})
	}
	if !o.secrets {
		e.redact(o, states) // the bodies have values, too
	}
	if !o.bodies {
		e.eachCall(func(_ *Webhook, c *Call) { c.Request, c.Response = nil, nil })
	}
	e.normalize()
}

// addFaults sets the faults of the calls, which only the option Faults knows.
func (e *Explanation) addFaults(o *options) {
	if o.faultOf == nil {
		return
	}
	e.eachCall(func(w *Webhook, c *Call) { c.Fault = o.faultOf(w.Configuration, w.Name) })
}

// addSent inserts the object of the option Sent, after the stored state.
func (o *options) addSent(states []State) []State {
	at := slices.IndexFunc(states, func(s State) bool { return s.By.By == ByUser })
	if o.sent == nil || at < 0 {
		return states
	}
	defaulted := states[at]
	defaulted.By = Writer{By: ByDefaulting}
	sent := State{Kind: defaulted.Kind, Object: o.sent, By: Writer{By: ByUser}}
	return slices.Concat(states[:at], []State{sent, defaulted}, states[at+1:])
}

// addReasons sets the reasons and hints of all webhooks, and the causes of all
// rounds.
func (e *Explanation) addReasons() {
	a := newAnalyzer(e)
	for i := range e.Rounds {
		e.Rounds[i].Cause = a.cause(&e.Rounds[i])
	}
	a.addPolicyReasons()
	for r, w := range e.webhooks() {
		w.Reason, w.Hint = a.reason(r, w), a.hint(r, w)
	}
}

// addChanges sets the changes of each patch, and of the defaulting after it.
func (e *Explanation) addChanges(states []State) {
	for i := 1; i < len(states); i++ {
		before, after := states[i-1], states[i]
		c := e.callOf(after.By)
		if c == nil || before.Kind != after.Kind {
			continue
		}
		changes, err := Diff(before.Object, after.Object)
		switch {
		case err != nil:
			e.addProblem("what %s changed cannot be shown: %v", after.By.Webhook, err)
		case after.By.By == ByWebhook:
			c.Changes = changes
		case after.By.By == ByDefaulting:
			c.Defaulted = changes
		}
	}
}

// callOf returns the call that a writer identifies; nil if there is none.
func (e *Explanation) callOf(by Writer) (found *Call) {
	for r, w := range e.webhooks() {
		if r.Phase == mutating && r.Round == by.Round && w.Call != nil && w.Call.Index == by.Index &&
			w.Name == by.Webhook && w.Configuration == by.Configuration {
			found = w.Call
		}
	}
	return found
}

// addFields sets the writers of all fields.
func (e *Explanation) addFields(states []State) {
	if len(states) == 0 {
		return
	}
	var err error
	if e.Fields, e.Removed, e.Fights, err = Blame(states); err != nil {
		e.addProblem("the writers of fields cannot be shown: %v", err)
	}
}

// recoverPart runs one part of the explanation and turns a panic into a
// problem, so that the other parts are kept.
func (e *Explanation) recoverPart(what string, part func()) {
	if err := guard.Do(part); err != nil {
		e.addProblem("%s are missing: %v", what, err)
	}
}

func (e *Explanation) addProblem(format string, args ...any) {
	e.Problems = append(e.Problems, fmt.Sprintf(format, args...))
}

// webhooks visits all webhooks in order, with their rounds.
func (e *Explanation) webhooks() iter.Seq2[*Round, *Webhook] {
	return func(yield func(*Round, *Webhook) bool) {
		for i := range e.Rounds {
			for j := range e.Rounds[i].Webhooks {
				if !yield(&e.Rounds[i], &e.Rounds[i].Webhooks[j]) {
					return
				}
			}
		}
	}
}

// eachCall visits all calls in order.
func (e *Explanation) eachCall(visit func(*Webhook, *Call)) {
	for _, w := range e.webhooks() {
		if w.Call != nil {
			visit(w, w.Call)
		}
	}
}

// normalize replaces nil lists by empty ones, so that consumers of the JSON
// form need not handle both.
func (e *Explanation) normalize() {
	e.Warnings = append([]string{}, e.Warnings...)
	e.Rounds = append([]Round{}, e.Rounds...)
	for i := range e.Rounds {
		e.Rounds[i].Webhooks = append([]Webhook{}, e.Rounds[i].Webhooks...)
	}
	e.Fields, e.Removed = append([]Field{}, e.Fields...), append([]Field{}, e.Removed...)
	e.Fights = append([]Fight{}, e.Fights...)
	e.AuditAnnotations = append([]Annotation{}, e.AuditAnnotations...)
	e.Redacted, e.Problems = append([]string{}, e.Redacted...), append([]string{}, e.Problems...)
}

// Body returns a body in the form in which an Explanation contains it:
// unchanged if it is JSON, as a JSON string otherwise. Bytes that are not UTF-8
// are replaced, also within JSON.
func Body(raw []byte) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	if json.Valid(raw) {
		return bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	text, err := json.Marshal(string(raw))
	if err != nil {
		return nil // not reached: every string can be encoded
	}
	return text
}

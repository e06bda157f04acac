package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Complete adds to an Explanation whatever follows from what is in it already: reasons,
// hints and causes, changes, and from the states of the object, which begin with the
// oldest, who wrote which field. Then it hides what is not to be shown. It is for
// explain.Response and for those who make Explanations from records of their
// own.
func Complete(e *Explanation, states []State, all ...Option) {
	o := newOptions(all)
	e.Metrics = o.metrics
	e.addFaults(o)
	if o.reasons && !e.mayHide(o) {
		states = nil
	}
	e.recoverPart("changes", func() { e.addChanges(states) })
	e.recoverPart("reasons", e.addReasons)
	e.recoverPart("fields", func() { e.addFields(o.addSent(states)) })
	if !o.bodies {
		e.eachCall(func(_ *Webhook, c *Call) { c.Request, c.Response = nil, nil })
	}
	if !o.secrets {
		e.redact(o)
	}
	e.normalize()
}

// hides reports whether there may be something to hide.
func (e *Explanation) mayHide(o *options) bool {
	return !o.secrets && (len(o.redactPaths) > 0 || isSecret(e.Request.Kind))
}

// tell adds what only the options know.
func (e *Explanation) addFaults(o *options) {
	if o.faultOf == nil {
		return
	}
	e.eachCall(func(w *Webhook, c *Call) { c.Fault = o.faultOf(w.Configuration, w.Name) })
}

// trace puts what the author sent before the states, after what is stored.
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

// judge says why webhooks were not called, and why rounds were begun.
func (e *Explanation) addReasons() {
	a := newAnalyzer(e)
	for i := range e.Rounds {
		r := &e.Rounds[i]
		r.Cause = a.cause(r)
		for j := range r.Webhooks {
			w := &r.Webhooks[j]
			w.Reason, w.Hint = a.reason(r, w), a.hint(r, w)
		}
	}
}

// compare says what each patch, and the defaults after it, did to the object.
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

// callOf returns the call that a writer stands for; nil if it stands for none.
func (e *Explanation) callOf(w Writer) (found *Call) {
	if w.Webhook == "" {
		return nil
	}
	for i := range e.Rounds {
		if r := &e.Rounds[i]; r.Phase != mutating || r.Round != w.Round {
			continue
		}
		for j := range e.Rounds[i].Webhooks {
			hook := &e.Rounds[i].Webhooks[j]
			if hook.Call != nil && hook.Configuration == w.Configuration && hook.Name == w.Webhook && hook.Call.Index == w.Index {
				found = hook.Call
			}
		}
	}
	return found
}

// blame says who wrote which field.
func (e *Explanation) addFields(states []State) {
	if len(states) == 0 {
		return
	}
	var err error
	if e.Fields, e.Removed, e.Fights, err = Blame(states); err != nil {
		e.addProblem("who wrote which field cannot be shown: %v", err)
	}
}

// attempt runs a part of the explanation. The rest of it must not be lost when that
// part cannot be made.
func (e *Explanation) recoverPart(what string, part func()) {
	defer func() {
		if r := recover(); r != nil {
			e.addProblem("%s are missing: %v", what, r)
		}
	}()
	part()
}

func (e *Explanation) addProblem(format string, args ...any) {
	e.Problems = append(e.Problems, fmt.Sprintf(format, args...))
}

// calls visits all calls, in order.
func (e *Explanation) eachCall(visit func(*Webhook, *Call)) {
	for i := range e.Rounds {
		for j := range e.Rounds[i].Webhooks {
			if w := &e.Rounds[i].Webhooks[j]; w.Call != nil {
				visit(w, w.Call)
			}
		}
	}
}

// normalize makes lists empty rather than absent, so that programs need not tell the
// two apart.
func (e *Explanation) normalize() {
	e.Warnings = append([]string{}, e.Warnings...)
	e.Rounds = append([]Round{}, e.Rounds...)
	e.Fields, e.Removed = append([]Field{}, e.Fields...), append([]Field{}, e.Removed...)
	e.Fights = append([]Fight{}, e.Fights...)
	e.AuditAnnotations = append([]Annotation{}, e.AuditAnnotations...)
	e.Redacted, e.Problems = append([]string{}, e.Redacted...), append([]string{}, e.Problems...)
}

// Body returns a body as an Explanation has it: as it is if it is JSON, and otherwise
// as a string. Bytes that are not UTF-8 are replaced, in strings of JSON too.
func Body(raw []byte) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	if json.Valid(raw) {
		return bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	text, err := json.Marshal(string(raw))
	if err != nil {
		return nil // a string always can be
	}
	return text
}

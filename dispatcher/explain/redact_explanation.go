package explain

import (
	"encoding/json"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// redact redacts values by their paths, and then wherever texts quote them,
// also values that only one of the states had.
func (e *Explanation) redact(o *options, states []State) {
	r := &pathRedactor{paths: o.redactPaths}
	for _, path := range o.redactPaths {
		e.Redacted = append(e.Redacted, fmt.Sprintf("the fields at %s, and their values in other texts", path))
	}
	kind, what := e.Request.Kind, "the token, also in other texts"
	switch kind.Kind {
	case secretKind.Kind:
		what = "the data of the Secret, and its values in other texts"
	case "": // it may be a Secret
		kind = secretKind
		what = "data, because the kind of the object is unknown, and its values in other texts"
	}
	if paths := SecretPaths(kind); paths != nil {
		r.paths = append(paths, r.paths...)
		e.Redacted = append(e.Redacted, what)
	}
	if len(r.paths) == 0 {
		return
	}
	// What an expression makes of a value cannot be found in it.
	e.eachEvaluation(func(p *PolicyEvaluation) {
		for i := range p.Expressions {
			p.Expressions[i].Value = ""
		}
	})
	e.recoverPart("hidden values", func() {
		for _, object := range o.secretObjects {
			r.valueAt("", &object)
		}
		r.patch(slices.Clone(o.secretPatches))
		r.explanation(e, states)
	})
	e.redactTexts(NewTextRedactor(r.values))
}

// eachValue visits the values of objects with their paths. Whole objects have
// the empty path.
func (e *Explanation) eachValue(visit func(path *string, values ...*json.RawMessage)) {
	visit(new(string), &e.Object, &e.Request.Object, &e.Request.OldObject)
	for _, fields := range [][]Field{e.Fields, e.Removed} {
		for i := range fields {
			f := &fields[i]
			visit(&f.Path, append(valuesOf(f.Earlier), &f.Value)...)
		}
	}
	for i := range e.Fights {
		visit(&e.Fights[i].Path, valuesOf(e.Fights[i].Writes)...)
	}
	e.eachCall(func(_ *Webhook, c *Call) {
		eachChange(c.Changes, visit)
		eachChange(c.Defaulted, visit)
	})
	e.eachEvaluation(func(p *PolicyEvaluation) {
		for i := range p.Mutations {
			eachChange(p.Mutations[i].Changes, visit)
		}
	})
}

// eachChange visits the values of changes.
func eachChange(changes []Change, visit func(path *string, values ...*json.RawMessage)) {
	for i := range changes {
		visit(&changes[i].Path, &changes[i].Old, &changes[i].New)
		visit(&changes[i].From)
	}
}

func valuesOf(writes []Write) []*json.RawMessage {
	var all []*json.RawMessage
	for i := range writes {
		all = append(all, &writes[i].Value)
	}
	return all
}

// redactTexts replaces values in everything that webhooks, objects and
// libraries supply. It does not change the names that come from the
// configuration and the request: a Secret that contains the word "default" must
// not hide the name of a namespace.
func (e *Explanation) redactTexts(t *TextRedactor) {
	t.status(e.Status)
	e.Warnings, e.Problems = t.texts(e.Warnings), t.texts(e.Problems)
	for i := range e.AuditAnnotations {
		t.replace(&e.AuditAnnotations[i].Key, &e.AuditAnnotations[i].Value)
	}
	e.eachValue(func(path *string, values ...*json.RawMessage) {
		*path = t.Path(*path)
		for _, value := range values {
			*value = t.json(*value)
		}
	})
	e.Request.Options = t.json(e.Request.Options)
	for i := range e.Rounds {
		t.replace(&e.Rounds[i].Cause)
	}
	for _, w := range e.webhooks() {
		t.webhook(w)
	}
	e.eachCall(func(_ *Webhook, c *Call) { t.call(c) })
	e.eachPolicyMatch(func(_ *Round, m *PolicyMatch) { t.policyMatch(m) })
	e.eachEvaluation(t.evaluation)
}

func (t *TextRedactor) policyMatch(m *PolicyMatch) {
	t.replace(&m.Reason, &m.Hint, &m.Error)
	m.Match.ObjectLabels = t.labels(m.Match.ObjectLabels)
	m.Match.OldObjectLabels = t.labels(m.Match.OldObjectLabels)
}

func (t *TextRedactor) evaluation(e *PolicyEvaluation) {
	t.replace(&e.Error)
	for i := range e.Expressions {
		t.replace(&e.Expressions[i].Error)
	}
	for i := range e.Validations {
		t.replace(&e.Validations[i].Message)
	}
	for i := range e.Mutations {
		t.replace(&e.Mutations[i].Error)
	}
	e.AuditAnnotations = t.labels(e.AuditAnnotations)
}

// replace redacts texts in place.
func (t *TextRedactor) replace(texts ...*string) {
	for _, text := range texts {
		*text = t.Text(*text)
	}
}

// status redacts all texts of a Status, because a webhook that denies a request
// supplies it.
func (t *TextRedactor) status(s *metav1.Status) {
	if s == nil {
		return
	}
	t.replace(&s.Message, (*string)(&s.Reason))
	if d := s.Details; d != nil {
		t.replace(&d.Name, &d.Group, &d.Kind, (*string)(&d.UID))
		for i := range d.Causes {
			t.replace((*string)(&d.Causes[i].Type), &d.Causes[i].Message, &d.Causes[i].Field)
		}
	}
}

func (t *TextRedactor) webhook(w *Webhook) {
	t.replace(&w.Reason, &w.Hint, &w.Error, &w.Match.ConditionsError)
	w.Match.ObjectLabels, w.Match.OldObjectLabels = t.labels(
		w.Match.ObjectLabels,
	), t.labels(
		w.Match.OldObjectLabels,
	)
	for i := range w.Match.Conditions {
		t.replace(&w.Match.Conditions[i].Error)
	}
}

func (t *TextRedactor) call(c *Call) {
	t.replace(&c.Error, &c.Hint)
	c.Warnings, c.AuditAnnotations = t.texts(c.Warnings), t.labels(c.AuditAnnotations)
	for i := range c.Patch {
		t.replace(&c.Patch[i].Path, &c.Patch[i].From)
		c.Patch[i].Value = t.json(c.Patch[i].Value)
	}
	c.Request, c.Response = t.json(c.Request), t.json(c.Response)
}

func (t *TextRedactor) labels(set map[string]string) map[string]string {
	if set == nil {
		return nil
	}
	clean := make(map[string]string, len(set))
	for key, value := range set {
		clean[t.Text(key)] = t.Text(value)
	}
	return clean
}

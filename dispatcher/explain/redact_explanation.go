package explain

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// redactTexts replaces values in everything that webhooks, objects and libraries supply.
// It does not change the names that come from the configuration and the request: a
// Secret that contains the word "default" must not hide the name of a namespace.
func (e *Explanation) redactTexts(t *TextRedactor) {
	if e.Status != nil {
		t.status(e.Status)
	}
	e.Warnings, e.Problems = t.texts(e.Warnings), t.texts(e.Problems)
	for i := range e.AuditAnnotations {
		a := &e.AuditAnnotations[i]
		a.Key, a.Value = t.Text(a.Key), t.Text(a.Value)
	}
	e.Object, e.Request.Object = t.json(e.Object), t.json(e.Request.Object)
	e.Request.OldObject, e.Request.Options = t.json(e.Request.OldObject), t.json(e.Request.Options)
	t.fields(e.Fields)
	t.fields(e.Removed)
	for i := range e.Fights {
		e.Fights[i].Path = t.Path(e.Fights[i].Path)
		t.writes(e.Fights[i].Writes)
	}
	for i := range e.Rounds {
		r := &e.Rounds[i]
		r.Cause = t.Text(r.Cause)
		for j := range r.Webhooks {
			t.webhook(&r.Webhooks[j])
		}
	}
}

// status redacts all texts of a Status, because a webhook that denies a request supplies
// it.
func (t *TextRedactor) status(status *metav1.Status) {
	status.Message, status.Reason = t.Text(status.Message), metav1.StatusReason(t.Text(string(status.Reason)))
	d := status.Details
	if d == nil {
		return
	}
	d.Name, d.Group, d.Kind, d.UID = t.Text(d.Name), t.Text(d.Group), t.Text(d.Kind), types.UID(t.Text(string(d.UID)))
	for i := range d.Causes {
		c := &d.Causes[i]
		c.Type, c.Message, c.Field = metav1.CauseType(t.Text(string(c.Type))), t.Text(c.Message), t.Text(c.Field)
	}
}

func (t *TextRedactor) webhook(w *Webhook) {
	w.Reason, w.Hint, w.Error = t.Text(w.Reason), t.Text(w.Hint), t.Text(w.Error)
	w.Match.ObjectLabels, w.Match.OldObjectLabels = t.labels(w.Match.ObjectLabels), t.labels(w.Match.OldObjectLabels)
	w.Match.ConditionsError = t.Text(w.Match.ConditionsError)
	for i := range w.Match.Conditions {
		w.Match.Conditions[i].Error = t.Text(w.Match.Conditions[i].Error)
	}
	if w.Call != nil {
		t.call(w.Call)
	}
}

func (t *TextRedactor) call(c *Call) {
	c.Error, c.Warnings, c.AuditAnnotations = t.Text(c.Error), t.texts(c.Warnings), t.labels(c.AuditAnnotations)
	for i := range c.Patch {
		o := &c.Patch[i]
		o.Path, o.From, o.Value = t.Text(o.Path), t.Text(o.From), t.json(o.Value)
	}
	for _, changes := range [][]Change{c.Changes, c.Defaulted} {
		for i := range changes {
			changes[i].Path, changes[i].From = t.Path(changes[i].Path), t.Path(changes[i].From)
			changes[i].Old, changes[i].New = t.json(changes[i].Old), t.json(changes[i].New)
		}
	}
	c.Request, c.Response = t.json(c.Request), t.json(c.Response)
}

func (t *TextRedactor) labels(set map[string]string) map[string]string {
	if set == nil {
		return nil
	}
	scrubbed := make(map[string]string, len(set))
	for key, value := range set {
		scrubbed[t.Text(key)] = t.Text(value)
	}
	return scrubbed
}

func (t *TextRedactor) fields(fields []Field) {
	for i := range fields {
		fields[i].Path = t.Path(fields[i].Path)
		fields[i].Value = t.json(fields[i].Value)
		t.writes(fields[i].Earlier)
	}
}

func (t *TextRedactor) writes(writes []Write) {
	for i := range writes {
		writes[i].Value = t.json(writes[i].Value)
	}
}

package explain

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// scrub hides values in everything that webhooks, objects and libraries have to say. It
// leaves alone what gatehouse and the configuration say: a Secret that holds the word
// "default" is no reason not to show the name of a namespace.
func (e *Explanation) scrub(s *scrubber) {
	if e.Status != nil {
		s.status(e.Status)
	}
	e.Warnings, e.Problems = s.texts(e.Warnings), s.texts(e.Problems)
	for i := range e.AuditAnnotations {
		a := &e.AuditAnnotations[i]
		a.Key, a.Value = s.text(a.Key), s.text(a.Value)
	}
	e.Object, e.Request.Object = s.json(e.Object), s.json(e.Request.Object)
	e.Request.OldObject, e.Request.Options = s.json(e.Request.OldObject), s.json(e.Request.Options)
	s.fields(e.Fields)
	s.fields(e.Removed)
	for i := range e.Fights {
		e.Fights[i].Path = s.path(e.Fights[i].Path)
		s.writes(e.Fights[i].Writes)
	}
	for i := range e.Rounds {
		r := &e.Rounds[i]
		r.Cause = s.text(r.Cause)
		for j := range r.Webhooks {
			s.webhook(&r.Webhooks[j])
		}
	}
}

// status is all the webhook's own if it denied the request.
func (s *scrubber) status(status *metav1.Status) {
	status.Message, status.Reason = s.text(status.Message), metav1.StatusReason(s.text(string(status.Reason)))
	d := status.Details
	if d == nil {
		return
	}
	d.Name, d.Group, d.Kind, d.UID = s.text(d.Name), s.text(d.Group), s.text(d.Kind), types.UID(s.text(string(d.UID)))
	for i := range d.Causes {
		c := &d.Causes[i]
		c.Type, c.Message, c.Field = metav1.CauseType(s.text(string(c.Type))), s.text(c.Message), s.text(c.Field)
	}
}

func (s *scrubber) webhook(w *Webhook) {
	w.Reason, w.Hint, w.Error = s.text(w.Reason), s.text(w.Hint), s.text(w.Error)
	w.Match.ObjectLabels, w.Match.OldObjectLabels = s.labels(w.Match.ObjectLabels), s.labels(w.Match.OldObjectLabels)
	w.Match.ConditionsError = s.text(w.Match.ConditionsError)
	for i := range w.Match.Conditions {
		w.Match.Conditions[i].Error = s.text(w.Match.Conditions[i].Error)
	}
	if w.Call != nil {
		s.call(w.Call)
	}
}

func (s *scrubber) call(c *Call) {
	c.Error, c.Warnings, c.AuditAnnotations = s.text(c.Error), s.texts(c.Warnings), s.labels(c.AuditAnnotations)
	for i := range c.Patch {
		o := &c.Patch[i]
		o.Path, o.From, o.Value = s.text(o.Path), s.text(o.From), s.json(o.Value)
	}
	for _, changes := range [][]Change{c.Changes, c.Defaulted} {
		for i := range changes {
			changes[i].Path, changes[i].From = s.path(changes[i].Path), s.path(changes[i].From)
			changes[i].Old, changes[i].New = s.json(changes[i].Old), s.json(changes[i].New)
		}
	}
	c.Request, c.Response = s.json(c.Request), s.json(c.Response)
}

func (s *scrubber) labels(set map[string]string) map[string]string {
	if set == nil {
		return nil
	}
	scrubbed := make(map[string]string, len(set))
	for key, value := range set {
		scrubbed[s.text(key)] = s.text(value)
	}
	return scrubbed
}

func (s *scrubber) fields(fields []Field) {
	for i := range fields {
		fields[i].Path = s.path(fields[i].Path)
		fields[i].Value = s.json(fields[i].Value)
		s.writes(fields[i].Earlier)
	}
}

func (s *scrubber) writes(writes []Write) {
	for i := range writes {
		writes[i].Value = s.json(writes[i].Value)
	}
}

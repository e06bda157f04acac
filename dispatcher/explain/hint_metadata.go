package explain

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
)

// objectMetadata is the part of an object that hints use.
type objectMetadata struct {
	// problem says why the object cannot be read; empty if it can.
	problem string
	// present reports whether the object has metadata; the options of a CONNECT have
	// none.
	present             bool
	labels, annotations map[string]string
	// templateLabels are the labels of spec.template, which workloads give to their
	// pods.
	templateLabels map[string]string
}

// readMetadata returns nil if there is no object.
func readMetadata(raw json.RawMessage) *objectMetadata {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	type metadata struct {
		Labels      json.RawMessage `json:"labels"`
		Annotations json.RawMessage `json:"annotations"`
	}
	var object struct {
		Metadata *metadata `json:"metadata"`
		Spec     struct {
			Template struct {
				Metadata metadata `json:"metadata"`
			} `json:"template"`
		} `json:"spec"`
	}
	d := &objectMetadata{}
	// A spec that is not an object is ignored; only metadata matters.
	if err := json.Unmarshal(raw, &object); object.Metadata == nil {
		d.setProblem(err)
		return d
	}
	d.present = true
	d.labels = d.stringMap(object.Metadata.Labels)
	d.annotations = (&objectMetadata{}).stringMap(object.Metadata.Annotations)
	d.templateLabels = (&objectMetadata{}).stringMap(object.Spec.Template.Metadata.Labels)
	return d
}

// stringMap decodes a map of strings.
func (d *objectMetadata) stringMap(raw json.RawMessage) map[string]string {
	if raw == nil {
		return nil
	}
	var values map[string]string
	if err := json.Unmarshal(raw, &values); err != nil {
		d.setProblem(err)
		return nil
	}
	return values
}

func (d *objectMetadata) setProblem(err error) {
	if err != nil {
		d.problem = err.Error()
	}
}

// objects returns the metadata of the object that was sent and of the stored one; nil
// for an object that the request does not have.
func (a *analyzer) objects() (sent, stored *objectMetadata) {
	if a.sent == nil {
		a.sent = readMetadata(a.e.Request.Object)
	}
	if a.stored == nil {
		a.stored = readMetadata(a.e.Request.OldObject)
	}
	return a.sent, a.stored
}

// objectLabels is what an objectSelector is evaluated against. An object without
// metadata counts as absent (S-100).
type objectLabels struct {
	object, oldObject       map[string]string
	hasObject, hasOldObject bool
}

// recordedLabels returns the labels that the webhook was matched with.
func recordedLabels(w *Webhook) objectLabels {
	object, oldObject := w.Match.ObjectLabels, w.Match.OldObjectLabels
	return objectLabels{object: object, oldObject: oldObject, hasObject: object != nil, hasOldObject: oldObject != nil}
}

func (v objectLabels) matches(s labels.Selector) bool {
	return v.hasObject && s.Matches(labels.Set(v.object)) || v.hasOldObject && s.Matches(labels.Set(v.oldObject))
}

// labelsAtCall returns the labels that the webhook's objectSelector would have been
// evaluated against. They are unknown if an earlier webhook may have changed them.
func (a *analyzer) labelsAtCall(r *Round, w *Webhook) (v objectLabels, known bool) {
	object, stored := a.objects()
	if stored != nil {
		v.oldObject, v.hasOldObject = stored.labels, stored.present
	}
	if r.Phase == validating {
		if a.final == nil {
			a.final = readMetadata(a.e.Object)
		}
		object = a.final
	} else if a.labelsChangedBefore(r, w) {
		return v, false
	}
	if object != nil {
		v.object, v.hasObject = object.labels, object.present
	}
	return v, (object == nil || object.problem == "") && (stored == nil || stored.problem == "")
}

// labelsChangedBefore reports whether a webhook before w may have changed the labels.
func (a *analyzer) labelsChangedBefore(r *Round, w *Webhook) bool {
	for _, s := range a.callHistory().calls {
		if s.round.Round > r.Round || s.round.Round == r.Round && s.webhook.Position >= w.Position {
			return false
		}
		if a.changesLabels(s.webhook.Call) {
			return true
		}
	}
	return false
}

// changesLabels reports whether a call may have changed the object's labels.
func (a *analyzer) changesLabels(c *Call) bool {
	if !c.Mutated {
		return false
	}
	changes, ok := a.changedLabels[c]
	if !ok {
		changes = len(c.Patch) == 0
		for i := range c.Patch {
			op := &c.Patch[i]
			changes = changes || op.Op != "test" && (touchesLabels(op.Path) || op.Op == "move" && touchesLabels(op.From))
		}
		a.changedLabels[c] = changes
	}
	return changes
}

func touchesLabels(pointer string) bool {
	return pointer == "" || pointer == "/metadata" || pointer == "/metadata/labels" || strings.HasPrefix(pointer, "/metadata/labels/")
}

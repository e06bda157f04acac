package explain

import (
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// document is what hints want to know of an object.
type document struct {
	// problem says why it cannot be read; empty if it can.
	problem string
	// metadata reports whether it has any: the options of a CONNECT have not.
	metadata            bool
	labels, annotations map[string]string
	// template are the labels of spec.template, where workloads have those of their pods.
	template map[string]string
}

// readDocument returns nil if there is no object.
func readDocument(raw json.RawMessage) *document {
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
	d := &document{}
	// A spec that is no object is none of our business: it is left out.
	if err := json.Unmarshal(raw, &object); object.Metadata == nil {
		d.note(err)
		return d
	}
	d.metadata = true
	d.labels = d.words(object.Metadata.Labels)
	d.annotations = (&document{}).words(object.Metadata.Annotations)
	d.template = (&document{}).words(object.Spec.Template.Metadata.Labels)
	return d
}

// words reads what should be a map of strings.
func (d *document) words(raw json.RawMessage) map[string]string {
	if raw == nil {
		return nil
	}
	var words map[string]string
	if err := json.Unmarshal(raw, &words); err != nil {
		d.note(err)
		return nil
	}
	return words
}

func (d *document) note(err error) {
	if err != nil {
		d.problem = err.Error()
	}
}

// documents returns what was sent and what is stored, nil for what there is not.
func (a *advisor) documents() (sent, stored *document) {
	if a.sent == nil {
		a.sent = readDocument(a.e.Request.Object)
	}
	if a.stored == nil {
		a.stored = readDocument(a.e.Request.OldObject)
	}
	return a.sent, a.stored
}

// view is what an objectSelector looks at. An object without metadata is no object to it
// (S-100).
type view struct {
	now, old       map[string]string
	hasNow, hasOld bool
}

// seenBy is the view that the webhook was matched with.
func seenBy(w *Webhook) view {
	now, old := w.Match.ObjectLabels, w.Match.OldObjectLabels
	return view{now: now, old: old, hasNow: now != nil, hasOld: old != nil}
}

func (v view) matches(s labels.Selector) bool {
	return v.hasNow && s.Matches(labels.Set(v.now)) || v.hasOld && s.Matches(labels.Set(v.old))
}

// labelsAt returns what the webhook's objectSelector would have seen. It is not known
// after somebody else's patch may have changed it.
func (a *advisor) labelsAt(r *Round, w *Webhook) (v view, known bool) {
	now, old := a.documents()
	if old != nil {
		v.old, v.hasOld = old.labels, old.metadata
	}
	if r.Phase == validating {
		if a.final == nil {
			a.final = readDocument(a.e.Object)
		}
		now = a.final
	} else if a.relabeledBefore(r, w) {
		return v, false
	}
	if now != nil {
		v.now, v.hasNow = now.labels, now.metadata
	}
	return v, (now == nil || now.problem == "") && (old == nil || old.problem == "")
}

// relabeledBefore reports whether the labels are no longer those that were sent when it
// is the turn of w.
func (a *advisor) relabeledBefore(r *Round, w *Webhook) bool {
	for _, s := range a.history().calls {
		if s.round.Round > r.Round || s.round.Round == r.Round && s.webhook.Position >= w.Position {
			return false
		}
		if a.relabels(s.webhook.Call) {
			return true
		}
	}
	return false
}

// relabels reports whether a call may have changed the object's labels.
func (a *advisor) relabels(c *Call) bool {
	if !c.Mutated {
		return false
	}
	answer, ok := a.relabeling[c]
	if !ok {
		answer = len(c.Patch) == 0
		for i := range c.Patch {
			op := &c.Patch[i]
			answer = answer || op.Op != "test" && (concernsLabels(op.Path) || op.Op == "move" && concernsLabels(op.From))
		}
		a.relabeling[c] = answer
	}
	return answer
}

func concernsLabels(pointer string) bool {
	return pointer == "" || pointer == "/metadata" || pointer == "/metadata/labels" || strings.HasPrefix(pointer, "/metadata/labels/")
}

// parsed is a selector ready to be used.
func parsed(s *metav1.LabelSelector) (labels.Selector, error) {
	return metav1.LabelSelectorAsSelector(s)
}

package explain

import (
	"fmt"
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// objectHint describes what the object lacks.
func (a *analyzer) objectHint(r *Round, w *Webhook) string {
	selector := w.Spec.ObjectSelector
	if selector == nil {
		return absentSelectorHint(stageObjectSelector)
	}
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return invalidSelectorHint(stageObjectSelector, err)
	}
	if a.lacksMetadata(&w.Match) {
		return fmt.Sprintf("%s has no labels, so this objectSelector never matches: only {} does",
			a.e.Request.resourceName())
	}
	subject, have := a.objectSubject(&w.Match)
	wrong := unmetRequirements(stageObjectSelector, selector, have)
	if len(wrong) == 0 {
		return a.unreadableHint()
	}
	hint := subject + strings.Join(wrong, ", and ")
	return hint + a.labelsElsewhere(s, w.Match.ObjectLabels) + a.labelsChangedAfter(r, w, s)
}

// lacksMetadata reports whether the request's object is of a kind without
// metadata, as are the options of a CONNECT.
func (a *analyzer) lacksMetadata(m *Match) bool {
	q, sent := &a.e.Request, a.object()
	if len(m.ObjectLabels)+len(m.OldObjectLabels) > 0 || q.OldObject != nil || sent == nil {
		return q.Operation == opConnect && len(m.ObjectLabels) == 0
	}
	return sent.Metadata == nil && sent.problem == nil
}

// objectSubject names the object whose labels count, and returns them. If there
// are two objects either may match; the hint is about the new one, which the
// user can change.
func (a *analyzer) objectSubject(m *Match) (string, map[string]string) {
	q := &a.e.Request
	switch {
	case q.Operation == opDelete:
		return "a DELETE has no object but the stored one, which ", m.OldObjectLabels
	case q.Operation == opUpdate && !maps.Equal(m.ObjectLabels, m.OldObjectLabels):
		return "neither the new nor the stored object matches: the new one ", m.ObjectLabels
	case subresourceKinds[q.Kind.Kind] && q.Subresource != "":
		return fmt.Sprintf("for %s the labels of the %s count, not those of the parent object, and it ", q.resourceName(), q.Kind.Kind), m.ObjectLabels
	}
	return "the object ", m.ObjectLabels
}

// subresourceKinds are the kinds of subresources that have their own metadata,
// usually without labels.
var subresourceKinds = map[string]bool{"Binding": true, "Eviction": true, "Scale": true,
	"TokenRequest": true}

// unreadableHint covers objects that cannot be decoded.
func (a *analyzer) unreadableHint() string {
	if sent := a.object(); sent != nil && sent.problem != nil {
		return "the object cannot be read: " + omitLong(sent.problem.Error(), longText)
	}
	return ""
}

// labelsElsewhere points out matching labels in spec.template, which workloads
// give to their pods, or in annotations.
func (a *analyzer) labelsElsewhere(s labels.Selector, have map[string]string) string {
	sent := a.object()
	with := func(more map[string]string) bool {
		return len(more) > 0 && s.Matches(labels.Merge(more, have))
	}
	switch {
	case sent == nil || sent.Metadata == nil:
		return ""
	case with(sent.Spec.Template.Metadata.Labels):
		return "; spec.template has the right labels, but only the object's own labels count"
	case with(sent.Metadata.Annotations):
		return "; it has the right annotations, but only labels count"
	}
	return ""
}

// labelsChangedAfter points out a later webhook that adds the required labels.
func (a *analyzer) labelsChangedAfter(r *Round, w *Webhook, s labels.Selector) string {
	final := a.finalObject()
	if r.Phase != mutating || final == nil || final.Metadata == nil ||
		!s.Matches(labels.Set(final.Metadata.Labels)) {
		return ""
	}
	for _, c := range a.callHistory().calls {
		if c.round.Round == r.Round && c.webhook.Position > w.Position && c.webhook.Call.changesLabels() {
			return fmt.Sprintf("; %s changes the labels later: to match the new labels, the webhook must come after it", a.webhookName(c.webhook))
		}
	}
	return ""
}

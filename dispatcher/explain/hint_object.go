package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// objectHint describes what the object lacks; v has the labels that the selector was
// evaluated against.
func (a *analyzer) objectHint(r *Round, w *Webhook, v objectLabels) string {
	selector := w.Spec.ObjectSelector
	if selector == nil {
		return absentSelectorHint(stageObjectSelector)
	}
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return invalidSelectorHint(stageObjectSelector, err)
	}
	if a.lacksMetadata(v) {
		return fmt.Sprintf("%s carries no labels, so this objectSelector never matches: only {} does", a.e.Request.resourceName())
	}
	subject, have := a.objectSubject(v)
	wrong := unmetRequirements(stageObjectSelector, selector, have)
	if len(wrong) == 0 {
		return a.unreadableHint()
	}
	hint := subject + strings.Join(wrong, ", and ")
	return hint + a.labelsElsewhere(s, v.object) + a.labelsChangedAfter(r, w, s)
}

// lacksMetadata reports whether the request's object is of a kind without metadata, as
// are the options of a CONNECT.
func (a *analyzer) lacksMetadata(v objectLabels) bool {
	sent, stored := a.objects()
	if len(v.object)+len(v.oldObject) > 0 || stored != nil || sent == nil {
		return a.e.Request.Operation == opConnect && len(v.object) == 0
	}
	return !sent.present && sent.problem == ""
}

// objectSubject names the object whose labels count, and returns them. If there are two
// objects either may match; the hint is about the new one, which the user can change.
func (a *analyzer) objectSubject(v objectLabels) (string, map[string]string) {
	q := &a.e.Request
	switch {
	case q.Operation == opDelete:
		return "a DELETE has no object but the stored one, which ", v.oldObject
	case q.Operation == opUpdate && !maps.Equal(v.object, v.oldObject):
		return "neither the new nor the stored object matches: the new one ", v.object
	case subresourceKinds[q.Kind.Kind] && q.Subresource != "":
		return fmt.Sprintf("for %s the labels of the %s count, not those of what it is for, and it ", q.resourceName(), q.Kind.Kind), v.object
	}
	return "the object ", v.object
}

// subresourceKinds are the kinds of subresources that have their own metadata, usually
// without labels.
var subresourceKinds = map[string]bool{"Binding": true, "Eviction": true, "Scale": true, "TokenRequest": true}

// unreadableHint covers objects that cannot be decoded.
func (a *analyzer) unreadableHint() string {
	if sent, _ := a.objects(); sent != nil && sent.problem != "" {
		return "the object cannot be read: " + omitLong(sent.problem, longText)
	}
	return ""
}

// labelsElsewhere points out matching labels in spec.template or in annotations.
func (a *analyzer) labelsElsewhere(s labels.Selector, have map[string]string) string {
	sent, _ := a.objects()
	if sent == nil {
		return ""
	}
	with := func(more map[string]string) bool {
		return len(more) > 0 && s.Matches(labels.Merge(more, have))
	}
	switch {
	case with(sent.templateLabels):
		return "; spec.template has the right labels, but the object's own count"
	case with(sent.annotations):
		return "; it has the right annotations, but labels count"
	}
	return ""
}

// labelsChangedAfter points out a later webhook that adds the required labels.
func (a *analyzer) labelsChangedAfter(r *Round, w *Webhook, s labels.Selector) string {
	if r.Phase != mutating {
		return ""
	}
	if a.final == nil {
		a.final = readMetadata(a.e.Object)
	}
	if a.final == nil || !s.Matches(labels.Set(a.final.labels)) {
		return ""
	}
	i := slices.IndexFunc(a.callHistory().calls, func(s mutatingCall) bool {
		return s.round.Round == r.Round && s.webhook.Position > w.Position && a.changesLabels(s.webhook.Call)
	})
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("; %s changes the labels later: a webhook that is to see that has to come after it", a.webhookName(a.callHistory().calls[i].webhook))
}

// resourceID is a resource in one version.
type resourceID = metav1.GroupVersionResource

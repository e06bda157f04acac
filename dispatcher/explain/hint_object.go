package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// objectHint says what the object would have to be like, of which v is what the selector
// saw.
func (a *advisor) objectHint(r *Round, w *Webhook, v view) string {
	selector := w.Spec.ObjectSelector
	if selector == nil {
		return absentSelector(stageObjectSelector)
	}
	s, err := parsed(selector)
	if err != nil {
		return brokenSelector(stageObjectSelector, err)
	}
	if a.unlabeled(v) {
		return fmt.Sprintf("%s carries no labels, so this objectSelector never matches: only {} does", a.e.Request.what())
	}
	subject, have := a.objectSubject(v)
	wrong := misses(stageObjectSelector, selector, have)
	if len(wrong) == 0 {
		return a.unreadable()
	}
	hint := subject + strings.Join(wrong, ", and ")
	return hint + a.elsewhere(s, v.now) + a.relabeledAfter(r, w, s)
}

// unlabeled reports whether what was sent is of a kind that has no metadata, as are the
// options of a CONNECT.
func (a *advisor) unlabeled(v view) bool {
	sent, stored := a.documents()
	if len(v.now)+len(v.old) > 0 || stored != nil || sent == nil {
		return a.e.Request.Operation == connect && len(v.now) == 0
	}
	return !sent.metadata && sent.problem == ""
}

// objectSubject says whose labels count, and returns them. Of two objects either may
// match, and the new one is the one that can be changed.
func (a *advisor) objectSubject(v view) (string, map[string]string) {
	q := &a.e.Request
	switch {
	case q.Operation == deleted:
		return "a DELETE has no object but the stored one, which ", v.old
	case q.Operation == update && !maps.Equal(v.now, v.old):
		return "neither the new nor the stored object matches: the new one ", v.now
	case separateKinds[q.Kind.Kind] && q.Subresource != "":
		return fmt.Sprintf("for %s the labels of the %s count, not those of what it is for, and it ", q.what(), q.Kind.Kind), v.now
	}
	return "the object ", v.now
}

// separateKinds are the kinds of subresources that are objects of their own, with labels
// of their own, which they usually have not.
var separateKinds = map[string]bool{"Binding": true, "Eviction": true, "Scale": true, "TokenRequest": true}

// unreadable is for when what was recorded does not say why.
func (a *advisor) unreadable() string {
	if sent, _ := a.documents(); sent != nil && sent.problem != "" {
		return "the object cannot be read: " + bounded(sent.problem, longText)
	}
	return ""
}

// elsewhere notices labels that are there, but not where selectors look.
func (a *advisor) elsewhere(s labels.Selector, have map[string]string) string {
	sent, _ := a.documents()
	if sent == nil {
		return ""
	}
	with := func(more map[string]string) bool {
		return len(more) > 0 && s.Matches(labels.Merge(more, have))
	}
	switch {
	case with(sent.template):
		return "; spec.template has the right labels, but the object's own count"
	case with(sent.annotations):
		return "; it has the right annotations, but labels count"
	}
	return ""
}

// relabeledAfter notices that a later webhook changes the labels that are missing.
func (a *advisor) relabeledAfter(r *Round, w *Webhook, s labels.Selector) string {
	if r.Phase != mutating {
		return ""
	}
	if a.final == nil {
		a.final = readDocument(a.e.Object)
	}
	if a.final == nil || !s.Matches(labels.Set(a.final.labels)) {
		return ""
	}
	i := slices.IndexFunc(a.history().calls, func(s step) bool {
		return s.round.Round == r.Round && s.webhook.Position > w.Position && a.relabels(s.webhook.Call)
	})
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("; %s changes the labels later: a webhook that is to see that has to come after it", a.name(a.history().calls[i].webhook))
}

// resourceID is a resource in a version.
type resourceID = metav1.GroupVersionResource

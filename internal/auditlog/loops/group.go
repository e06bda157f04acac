package loops

import (
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
)

// group returns the loop that an object belongs to; nil if there are too many.
func (v *visit) group(kind Kind, webhook string, by Party) *Loop {
	by.Times = 0
	key := groupKey{kind, webhook, v.key.resource, by}
	l := v.groups[key]
	if l == nil {
		if len(v.groups) >= maxLoops {
			return nil
		}
		l = &Loop{Kind: kind, Webhook: webhook, Resource: v.key.resource,
			Namespace: v.key.namespace, Name: v.key.name}
		if len(v.groups) < maxRequests {
			l.Request = v.request()
		}
		v.groups[key] = l
	}
	return l
}

// found adds the current object to a loop.
func (v *visit) found(l *Loop, first Moment, times int, writes []write) {
	if l.Times == 0 {
		v.fresh = append(v.fresh, l)
	}
	if l.Times == 0 || first.Time.Before(l.First.Time) {
		l.First = first
	}
	l.add(v.moment, times)
	if !slices.Contains(v.object.loops, l) {
		v.object.loops = append(v.object.loops, l)
		l.Objects++
	}
	for _, path := range v.paths(writes) {
		if len(l.Paths) < maxPaths && !slices.Contains(l.Paths, path) {
			l.Paths = append(l.Paths, path)
		}
	}
}

func (l *Loop) add(m Moment, times int) {
	l.Times += times
	l.Last = m
}

// paths returns the paths of writes, in the syntax of explanations. A key that a webhook made
// of the data of a Secret is hidden; without the answer the data is not known, and all keys
// are.
func (v *visit) paths(writes []write) []string {
	var all []string
	hidden := v.secrets()
	for _, w := range writes {
		text := w.path
		if v.event.IsSecret() && v.event.ResponseObject == nil {
			text = outer(text)
		}
		if path, err := explain.ParsePath(text); err == nil {
			text = path.String()
		}
		if text = hidden.Text(text); len(all) < maxPaths && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// outer returns the first two keys of a JSON pointer.
func outer(pointer string) string {
	keys := strings.SplitN(pointer, "/", 4)
	return strings.Join(keys[:min(len(keys), 3)], "/")
}

// secrets returns what hides the data of a Secret.
func (v *visit) secrets() *explain.SecretFilter {
	e := v.event
	if !e.IsSecret() {
		return nil
	}
	var patches []explain.Operation
	for i := range e.Calls {
		var operations []explain.Operation
		if json.Unmarshal(e.Calls[i].Patch, &operations) == nil {
			patches = append(patches, operations...)
		}
	}
	return explain.NewSecretFilter(metav1.GroupVersionKind{Version: "v1", Kind: "Secret"},
		[]json.RawMessage{e.RequestObject, e.ResponseObject}, patches...)
}

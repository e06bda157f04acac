package sample

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// variant is an object to make for the selectors of some webhooks.
type variant struct {
	at                  kinds.Resource
	objects, namespaces []labels.Selector

	// labels are those of the object; namespace is its namespace, or the object
	// itself if that is a namespace, or nil for cluster-scoped kinds.
	labels    map[string]string
	namespace *corev1.Namespace
}

// variants returns one object of each kind that a webhook matches and accept
// selects, or several where one cannot match all selectors.
func (m *maker) variants(accept func(at kinds.Resource) bool) []*variant {
	var all []*variant
	for _, w := range m.webhooks {
		for i := range w.Rules {
			for _, at := range m.chosen(&w.Rules[i]) {
				if accept(at) {
					all = m.join(all, at, w)
				}
			}
		}
	}
	return all
}

// join makes a webhook match one of the variants, or a new one.
func (m *maker) join(all []*variant, at kinds.Resource, w *webhook) []*variant {
	for _, v := range all {
		if v.at == at && m.widen(v, w) {
			return all
		}
	}
	v := &variant{at: at}
	if m.widen(v, w) {
		return append(all, v)
	}
	m.skip(fmt.Errorf("%s: the selectors of %s select none", kinds.Name(at.Kind), webhookconfig.FullName(w.Webhook)))
	return all
}

// widen makes a variant match a further webhook. If that is impossible, it
// returns false and changes nothing.
func (m *maker) widen(v *variant, w *webhook) bool {
	wider := *v
	wider.objects = append(slices.Clone(v.objects), w.objects)
	wider.namespaces = append(slices.Clone(v.namespaces), w.namespaces)
	var ok bool
	if wider.labels, ok = satisfy(wider.objects, nil); !ok {
		return false
	}
	switch {
	case isNamespaces(v.at.GroupResource()):
		// The namespace is object and namespace of the request.
		wider.namespace, ok = m.namespaceFor(slices.Concat(wider.objects, wider.namespaces))
	case v.at.Namespaced:
		wider.namespace, ok = m.namespaceFor(wider.namespaces)
	}
	if ok {
		*v = wider
	}
	return ok
}

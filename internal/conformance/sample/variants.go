package sample

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// variant is an object of a kind that the selectors of some webhooks select.
type variant struct {
	at                  kinds.Resource
	objects, namespaces []labels.Selector

	// labels are those of the object, and namespace is where it is. That is the object
	// itself for a namespace, and nil where there are none.
	labels    map[string]string
	namespace *corev1.Namespace
}

// variants returns one object of each kind that the webhooks ask for and heed accepts, or
// more where one cannot be selected by all of them.
func (m *maker) variants(heed func(at kinds.Resource) bool) []*variant {
	var all []*variant
	for _, w := range m.webhooks {
		for i := range w.Rules {
			for _, at := range m.chosen(&w.Rules[i]) {
				if heed(at) {
					all = m.join(all, at, w)
				}
			}
		}
	}
	return all
}

// join has a webhook select one of the variants, or a new one.
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

// widen has a webhook select a variant besides those that do so already. If it cannot be
// done, it reports false and changes nothing.
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
		// It is both, the object and the namespace of the request.
		wider.namespace, ok = m.place(slices.Concat(wider.objects, wider.namespaces))
	case v.at.Namespaced:
		wider.namespace, ok = m.place(wider.namespaces)
	}
	if ok {
		*v = wider
	}
	return ok
}

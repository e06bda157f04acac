package sample

import (
	"cmp"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// most is how many samples there are, unless more are given, or needed for every webhook to
// have one.
const most = 50

// pick returns the candidates that are kept, in their order.
func (m *maker) pick(candidates []*admission.Request) []*admission.Request {
	kept := map[*admission.Request]bool{}
	for _, w := range m.webhooks {
		if slices.ContainsFunc(m.Given, func(r *admission.Request) bool { return m.serves(w, r) }) {
			continue
		}
		served := func(r *admission.Request) bool { return kept[r] && m.serves(w, r) }
		if i := slices.IndexFunc(candidates, func(r *admission.Request) bool { return m.serves(w, r) }); i >= 0 && !slices.ContainsFunc(candidates, served) {
			kept[candidates[i]] = true
		}
	}
	byRank := slices.Clone(candidates)
	slices.SortStableFunc(byRank, func(a, b *admission.Request) int { return cmp.Compare(rank(a), rank(b)) })
	for _, r := range byRank {
		if len(m.Given)+len(kept) < most {
			kept[r] = true
		}
	}
	return slices.DeleteFunc(candidates, func(r *admission.Request) bool { return !kept[r] })
}

// rank is lower for what webhooks are mostly there for.
func rank(r *admission.Request) int {
	order := []admissionv1.Operation{admissionv1.Create, admissionv1.Update, admissionv1.Delete, admissionv1.Connect}
	rank := slices.Index(order, r.Operation)
	if r.Subresource != "" {
		rank += len(order)
	}
	return rank
}

// serves reports whether a request probably visits a webhook.
func (m *maker) serves(w *webhook, r *admission.Request) bool {
	asks := w.asks(m.family(r.Resource.GroupResource()), ask{r.Operation, r.Subresource})
	if !asks || !w.objects.Empty() && !selects(w.objects, r.Object) && !selects(w.objects, r.OldObject) {
		return false
	}
	ns := m.known(r.Namespace)
	return ns == nil || w.namespaces.Matches(labelsOf(ns))
}

// selects reports whether a selector that is not empty selects an object. What is not there,
// and what can have no labels, it does not, even if it wants some label not to be there.
func selects(selector labels.Selector, object runtime.Object) bool {
	if object == nil {
		return false
	}
	m, err := meta.Accessor(object)
	return err == nil && selector.Matches(labels.Set(m.GetLabels()))
}

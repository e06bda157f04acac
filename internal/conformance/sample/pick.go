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

// maxSamples is the number of samples, unless more are given or needed to visit
// every webhook.
const maxSamples = 50

// pick returns the candidates to keep, in their order.
func (m *maker) pick(candidates []*admission.Request) []*admission.Request {
	kept := map[*admission.Request]bool{}
	for _, w := range m.webhooks {
		if slices.ContainsFunc(m.Given, func(r *admission.Request) bool { return m.visits(w, r) }) {
			continue
		}
		served := func(r *admission.Request) bool { return kept[r] && m.visits(w, r) }
		if i := slices.IndexFunc(
			candidates,
			func(r *admission.Request) bool { return m.visits(w, r) },
		); i >= 0 &&
			!slices.ContainsFunc(candidates, served) {
			kept[candidates[i]] = true
		}
	}
	byRank := slices.Clone(candidates)
	slices.SortStableFunc(
		byRank, func(a, b *admission.Request) int { return cmp.Compare(rank(a), rank(b)) })
	for _, r := range byRank {
		if len(m.Given)+len(kept) < maxSamples {
			kept[r] = true
		}
	}
	return slices.DeleteFunc(candidates, func(r *admission.Request) bool { return !kept[r] })
}

// rank sorts requests by how typically webhooks match them.
func rank(r *admission.Request) int {
	order := []admissionv1.Operation{admissionv1.Create, admissionv1.Update, admissionv1.Delete,
		admissionv1.Connect}
	rank := slices.Index(order, r.Operation)
	if r.Subresource != "" {
		rank += len(order)
	}
	return rank
}

// visits reports whether a request probably visits a webhook.
func (m *maker) visits(w *webhook, r *admission.Request) bool {
	asks := w.wants(m.family(r.Resource.GroupResource()), action{r.Operation, r.Subresource})
	if !asks || !w.objects.Empty() && !selects(w.objects, r.Object) &&
		!selects(w.objects, r.OldObject) {
		return false
	}
	ns := m.namespace(r.Namespace)
	return ns == nil || w.namespaces.Matches(labelsOf(ns))
}

// selects reports whether a non-empty selector matches an object. It never
// matches a missing object or one without metadata, as kube-apiserver does not
// either.
func selects(selector labels.Selector, object runtime.Object) bool {
	if object == nil {
		return false
	}
	m, err := meta.Accessor(object)
	return err == nil && selector.Matches(labels.Set(m.GetLabels()))
}

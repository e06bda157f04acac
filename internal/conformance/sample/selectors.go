package sample

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// satisfy returns a small set of labels that all selectors match. It includes
// the wished labels as far as possible. ok is false if there is no such set.
func satisfy(
	selectors []labels.Selector, wished map[string]string,
) (found map[string]string, ok bool) {
	requirements := map[string]labels.Requirements{}
	for _, s := range selectors {
		demands, selectable := s.Requirements()
		if !selectable {
			return nil, false
		}
		for _, r := range demands {
			requirements[r.Key()] = append(requirements[r.Key()], r)
		}
	}
	found = maps.Clone(wished)
	if found == nil {
		found = map[string]string{}
	}
	for key, demands := range requirements {
		if !assign(found, key, demands) {
			return nil, false
		}
	}
	return found, true
}

// assign gives a label a value that the requirements accept, or removes it.
func assign(found map[string]string, key string, demands labels.Requirements) bool {
	good := func() bool {
		return !slices.ContainsFunc(demands,
			func(r labels.Requirement) bool { return !r.Matches(labels.Set(found)) })
	}
	if good() {
		return true
	}
	delete(found, key)
	if good() {
		return true
	}
	for _, r := range demands {
		for _, value := range append(slices.Sorted(maps.Keys(r.Values())), "true", "1", "sample") {
			if found[key] = value; good() {
				return true
			}
		}
	}
	return false
}

// parsed returns a selector. An invalid one matches nothing.
func parsed(s *metav1.LabelSelector) labels.Selector {
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return labels.Nothing()
	}
	return selector
}

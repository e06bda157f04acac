package explain

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// absentSelectorHint is the hint for an absent selector. It is rare, because
// API servers default selectors to {} when they store a configuration.
//
// Compat: S-068: an absent selector selects nothing, an empty one everything.
func absentSelectorHint(field string) string {
	return fmt.Sprintf(
		"an absent %s selects nothing: write {}, which selects everything, as the API server does by default",
		field,
	)
}

func invalidSelectorHint(field string, err error) string {
	return fmt.Sprintf(
		"its %s cannot be used: %s; the operators are In and NotIn with values, Exists and DoesNotExist without",
		field,
		omitLong(err.Error(), longText),
	)
}

// unmetRequirements describes the requirements of a selector that labels do not
// meet, as the ends of sentences: "lacks the label a=b", "has a=c, the
// objectSelector wants a=b".
func unmetRequirements(field string, s *metav1.LabelSelector, labels map[string]string) []string {
	requirements := requirementsOf(s)
	var all []string
	for i := range requirements {
		q := &requirements[i]
		if q.selects(labels) {
			continue
		}
		if len(all) == shortList {
			return append(all, "does not meet other requirements")
		}
		all = append(all, q.describeMiss(field, labels))
	}
	return all
}

// requirement is one requirement of a selector.
type requirement metav1.LabelSelectorRequirement

// requirementsOf returns the requirements of a selector, matchLabels first.
func requirementsOf(s *metav1.LabelSelector) []requirement {
	all := make([]requirement, 0, len(s.MatchLabels)+len(s.MatchExpressions))
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		all = append(
			all,
			requirement{Key: key, Operator: metav1.LabelSelectorOpIn, Values: []string{s.MatchLabels[key]}},
		)
	}
	for _, q := range s.MatchExpressions {
		all = append(all, requirement(q))
	}
	return all
}

func (r *requirement) selects(have labels.Set) bool {
	alone := metav1.LabelSelector{
		MatchExpressions: []metav1.LabelSelectorRequirement{metav1.LabelSelectorRequirement(*r)},
	}
	s, err := metav1.LabelSelectorAsSelector(&alone)
	return err == nil && s.Matches(have)
}

func (r *requirement) describeMiss(field string, labels map[string]string) string {
	value, ok := labels[r.Key]
	switch {
	case !ok && r.Operator == metav1.LabelSelectorOpExists:
		return "lacks the label " + printableWord(r.Key) + similarKeyNote(r.Key, labels)
	case !ok:
		return "lacks the label " + r.accepted() + similarKeyNote(r.Key, labels)
	case r.Operator == metav1.LabelSelectorOpIn:
		return fmt.Sprintf("has %s, the %s wants %s%s", formatLabel(r.Key, value), field, r.accepted(),
			r.similarValueNote(value))
	case r.Operator == metav1.LabelSelectorOpNotIn:
		return fmt.Sprintf("has %s, which the %s excludes", formatLabel(r.Key, value), field)
	}
	return fmt.Sprintf("has %s, and the %s excludes the label %s",
		formatLabel(r.Key, value), field, printableWord(r.Key))
}

// accepted describes the labels that an In requirement accepts.
func (r *requirement) accepted() string {
	if len(r.Values) == 1 {
		return formatLabel(r.Key, r.Values[0])
	}
	return fmt.Sprintf("%s with one of the values %s", printableWord(r.Key), listWords(r.Values))
}

// similarValueNote points out an accepted value that differs little from the
// label's.
func (r *requirement) similarValueNote(value string) string {
	for _, want := range r.Values[:min(len(r.Values), longList)] {
		if looksLike(value, want) {
			return " (values must match exactly)"
		}
	}
	return ""
}

// similarKeyNote points out a label whose key differs little from the required
// one.
func similarKeyNote(key string, labels map[string]string) string {
	const most = 256
	if len(labels) > most {
		return ""
	}
	for _, other := range slices.Sorted(maps.Keys(labels)) {
		if looksLike(key, other) {
			return fmt.Sprintf(" (it has %s, and keys must match exactly)",
				formatLabel(other, labels[other]))
		}
	}
	return ""
}

package explain

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// absentSelector is the hint for a selector that is not there. It is rare, because API
// servers add {} when a configuration is stored.
//
// Compat: S-068: an absent selector selects nothing, an empty one everything.
func absentSelector(field string) string {
	return fmt.Sprintf("an absent %s selects nothing: write {}, which selects everything, as the API server does by default", field)
}

func brokenSelector(field string, err error) string {
	return fmt.Sprintf("its %s cannot be used: %s; the operators are In and NotIn with values, Exists and DoesNotExist without",
		field, bounded(err.Error(), longText))
}

// misses says what is wrong with labels in the eyes of a selector, as the ends of
// sentences: "lacks the label a=b", "has a=c where …". It is empty if nothing is.
func misses(field string, s *metav1.LabelSelector, have map[string]string) []string {
	requirements := requirementsOf(s)
	var all []string
	for i := range requirements {
		q := &requirements[i]
		if q.met(have) {
			continue
		}
		if len(all) == shortList {
			return append(all, "fails more of it")
		}
		all = append(all, q.miss(field, have))
	}
	return all
}

// requirement is one part of a selector.
type requirement metav1.LabelSelectorRequirement

// requirementsOf returns the parts of a selector, matchLabels first.
func requirementsOf(s *metav1.LabelSelector) []requirement {
	all := make([]requirement, 0, len(s.MatchLabels)+len(s.MatchExpressions))
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		all = append(all, requirement{Key: key, Operator: metav1.LabelSelectorOpIn, Values: []string{s.MatchLabels[key]}})
	}
	for _, q := range s.MatchExpressions {
		all = append(all, requirement(q))
	}
	return all
}

func (q *requirement) met(have map[string]string) bool {
	value, ok := have[q.Key]
	switch q.Operator {
	case metav1.LabelSelectorOpIn:
		return ok && slices.Contains(q.Values, value)
	case metav1.LabelSelectorOpNotIn:
		return !ok || !slices.Contains(q.Values, value)
	case metav1.LabelSelectorOpExists:
		return ok
	case metav1.LabelSelectorOpDoesNotExist:
		return !ok
	}
	return true // such a selector is an error, which has been told
}

func (q *requirement) miss(field string, have map[string]string) string {
	value, ok := have[q.Key]
	switch {
	case !ok && q.Operator == metav1.LabelSelectorOpExists:
		return "lacks the label " + inWords(q.Key) + misspelled(q.Key, have)
	case !ok:
		return "lacks the label " + q.wanted() + misspelled(q.Key, have)
	case q.Operator == metav1.LabelSelectorOpIn:
		return fmt.Sprintf("has %s, the %s wants %s%s", pair(q.Key, value), field, q.wanted(), q.nearly(value))
	case q.Operator == metav1.LabelSelectorOpNotIn:
		return fmt.Sprintf("has %s, which the %s excludes", pair(q.Key, value), field)
	}
	return fmt.Sprintf("has %s, and the %s wants nothing that has the label %s", pair(q.Key, value), field, inWords(q.Key))
}

// wanted is what an In accepts.
func (q *requirement) wanted() string {
	if len(q.Values) == 1 {
		return pair(q.Key, q.Values[0])
	}
	return fmt.Sprintf("%s with one of the values %s", inWords(q.Key), some(q.Values))
}

// nearly notices a value that only looks like one that is wanted.
func (q *requirement) nearly(value string) string {
	for _, want := range q.Values[:min(len(q.Values), longList)] {
		if resembles(value, want) {
			return " (values are compared letter by letter)"
		}
	}
	return ""
}

// misspelled notices a label whose key only looks like the one that is wanted.
func misspelled(key string, have map[string]string) string {
	const most = 256 // nobody reads through more labels
	if len(have) > most {
		return ""
	}
	for _, other := range slices.Sorted(maps.Keys(have)) {
		if resembles(key, other) {
			return fmt.Sprintf(" (it has %s, and keys are compared letter by letter)", pair(other, have[other]))
		}
	}
	return ""
}

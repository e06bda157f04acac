package sample

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"pgregory.net/rapid"
)

// TestSatisfy draws labels and selectors that select them: then there are some,
// and what was found is selected by all.
func TestSatisfy(t *testing.T) {
	t.Parallel()
	words := rapid.SampledFrom([]string{"a", "b", "c", "true"})
	rapid.Check(t, func(t *rapid.T) {
		hidden := labels.Set(rapid.MapOfN(rapid.SampledFrom([]string{"app", "tier", "env"}), words, 0, 3).Draw(t, "hidden"))
		var selectors []labels.Selector
		for range rapid.IntRange(0, 6).Draw(t, "selectors") {
			r := metav1.LabelSelectorRequirement{
				Key:      rapid.SampledFrom([]string{"app", "tier", "env"}).Draw(t, "key"),
				Operator: rapid.SampledFrom([]metav1.LabelSelectorOperator{"In", "NotIn", "Exists", "DoesNotExist"}).Draw(t, "operator"),
			}
			if r.Operator == "In" || r.Operator == "NotIn" {
				r.Values = rapid.SliceOfN(words, 1, 3).Draw(t, "values")
			}
			s := parsed(&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{r}})
			if s.Matches(hidden) {
				selectors = append(selectors, s)
			}
		}
		wished := rapid.MapOfN(rapid.SampledFrom([]string{"app", "other"}), words, 0, 2).Draw(t, "wished")
		found, ok := satisfy(selectors, wished)
		if !ok {
			t.Fatalf("nothing was found for %v, which select %v", selectors, hidden)
		}
		for _, s := range selectors {
			if !s.Matches(labels.Set(found)) {
				t.Fatalf("%v does not select %v", s, found)
			}
		}
		if found["other"] != wished["other"] {
			t.Fatalf("the harmless wish %v is not among %v", wished, found)
		}
	})
}

func TestNothingSatisfies(t *testing.T) {
	t.Parallel()
	wrong := parsed(&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Resembles"}}})
	absent := parsed(nil)
	contradiction := parsed(&metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}, MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "NotIn", Values: []string{"a"}}}})
	for _, s := range []labels.Selector{wrong, absent, contradiction} {
		if found, ok := satisfy([]labels.Selector{s}, nil); ok {
			t.Errorf("%v selects %v", s, found)
		}
	}
}

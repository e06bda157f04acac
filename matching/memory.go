package matching

import (
	"unique"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// verdict is what the conditions of a webhook gave. It holds for all webhooks with
// the same conditions: each has a budget of its own, and the same to pay from it.
type verdict struct {
	kind       schema.GroupVersionKind
	same       unique.Handle[string]
	conditions admission.Conditions
}

// selections is what selectors said.
type selections []selection

type selection struct {
	same     unique.Handle[string]
	selected bool
}

// once asks about a selector, unless an equal one has been asked about.
func (s *selections) once(of selector, ask func() bool) bool {
	for _, one := range *s {
		if one.same == of.same {
			return one.selected
		}
	}
	selected := ask()
	*s = append(*s, selection{of.same, selected})
	return selected
}

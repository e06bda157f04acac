package matching

import (
	"unique"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// evaluated is the result of conditions for a version of the object. It is the
// same for all webhooks with these conditions: their budgets are equal, and so
// is what they pay.
type evaluated struct {
	kind          schema.GroupVersionKind
	conditionsKey unique.Handle[string]
	conditions    admission.Conditions
}

// selections are the results of selectors for the current object.
type selections []selection

type selection struct {
	key      unique.Handle[string]
	selected bool
}

// remember returns the result for a selector. It calls evaluate only if there
// is no result for an equal selector.
func (s *selections) remember(of selector, evaluate func() bool) bool {
	for _, known := range *s {
		if known.key == of.key {
			return known.selected
		}
	}
	selected := evaluate()
	*s = append(*s, selection{of.key, selected})
	return selected
}

package wide

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/request"
)

// visit is what is seen of a request at the webhooks.
type visit struct {
	mu                   sync.Mutex
	mutating, validating []int // in the order of arrival
	problem              string
}

// see records that a webhook received the request, and its labels.
func (v *visit) see(p plan, phase admission.Phase, index, number int, labels map[string]string) {
	want := p.labelsBefore(p.each, number)
	if phase == admission.Mutating {
		want = p.labelsBefore(index, number)
	}
	own := maps.Clone(labels)
	delete(own, request.NumberLabel)
	v.mu.Lock()
	defer v.mu.Unlock()
	if phase == admission.Mutating {
		v.mutating = append(v.mutating, index)
	} else {
		v.validating = append(v.validating, index)
	}
	if v.problem == "" && !maps.Equal(own, want) {
		v.problem = fmt.Sprintf("%s was shown the labels %v, want %v", name(phase, index), own, want)
	}
}

// differs describes the difference from the expectation; "" if there is none.
// Validating webhooks are called in parallel, so their order is not compared.
func (v *visit) differs(e expectation) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	slices.Sort(v.validating)
	switch {
	case v.problem != "":
		return v.problem
	case !slices.Equal(v.mutating, e.mutating):
		return fmt.Sprintf("mutating webhooks %v were called, want %v", v.mutating, e.mutating)
	case !slices.Equal(v.validating, e.validating):
		return fmt.Sprintf("validating webhooks %v were called, want %v", v.validating, e.validating)
	}
	return ""
}

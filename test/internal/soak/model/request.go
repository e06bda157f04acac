package model

import (
	"maps"
	"slices"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/test/internal/soak/request"
)

// Pods and Widgets are the resources of requests: one with a Go type, one
// without.
const (
	Pods    = "pods"
	Widgets = "widgets"
)

// FaultLabel is the label by which an object selects a fault.
const FaultLabel = "soak.example.com/fault"

// Request is a request. All about it follows from its number.
type Request struct {
	Number   int64
	Resource string
	// Fault is the fault of a webhook in both phases; empty for most requests.
	Fault string
}

// One request in everyFault selects a fault; of these one in everyHeavy selects
// one that costs work, and one in everySlow one that costs time.
const (
	everyFault = 10
	everyHeavy = 80
	everySlow  = 80
)

var quickNames, heavyNames, slowNames = names(quick), names(heavy), names(slow)

func names(of map[string]ending) []string { return slices.Sorted(maps.Keys(of)) }

// Faults returns the faults that requests ask for.
func Faults() []string { return slices.Concat(quickNames, heavyNames, slowNames) }

// RequestAt returns the n-th request.
func RequestAt(n int64) Request {
	// Resources must not go in step with faults.
	r := Request{Number: n, Resource: []string{Pods, Widgets}[(n^n>>4)&1]}
	if n%everyFault != 0 {
		return r
	}
	switch of := n / everyFault; {
	case of%everySlow == 0:
		r.Fault = slowNames[of/everySlow%int64(len(slowNames))]
	case of%everyHeavy == 1:
		r.Fault = heavyNames[of/everyHeavy%int64(len(heavyNames))]
	default:
		r.Fault = quickNames[of%int64(len(quickNames))]
	}
	return r
}

// Make returns the request itself.
func (r Request) Make() (*request.Attributes, apiadmission.ObjectInterfaces) {
	var labels map[string]string
	if r.Fault != "" {
		labels = map[string]string{FaultLabel: r.Fault}
	}
	if r.Resource == Pods {
		return request.Pod(int(r.Number), labels)
	}
	return request.Widget(int(r.Number), labels)
}

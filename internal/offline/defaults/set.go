package defaults

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// fill sets an empty string.
func fill[S ~string](field *S, value S) {
	if *field == "" {
		*field = value
	}
}

// number sets a number that is zero.
func number[N ~int32 | ~int64](field *N, value N) {
	if *field == 0 {
		*field = value
	}
}

// setOnce sets a pointer that is nil.
func setOnce[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// each calls a function with a pointer to every element.
func each[T any](all []T, do func(*T)) {
	for i := range all {
		do(&all[i])
	}
}

// some calls a function with a part of an object if there is one.
func some[T any](part *T, do func(*T)) {
	if part != nil {
		do(part)
	}
}

// inherit copies labels to an object that has none. The copy is the object's
// own, so that later changes of the one do not show in the other.
func inherit(labels *map[string]string, from map[string]string) {
	if len(*labels) == 0 && from != nil {
		*labels = maps.Clone(from)
	}
}

// missing adds to a list the resources that it does not have and another has,
// and makes the list if there is none and something to add.
func missing(list *corev1.ResourceList, from corev1.ResourceList) {
	for name, quantity := range from {
		if _, ok := (*list)[name]; ok {
			continue
		}
		if *list == nil {
			*list = corev1.ResourceList{}
		}
		(*list)[name] = quantity.DeepCopy()
	}
}

// round rounds quantities up to thousandths, the smallest part of a resource
// that the API has.
//
// Compat: this changes what is written: 0.0001 becomes 1m.
func round(lists ...corev1.ResourceList) {
	for _, list := range lists {
		for name, quantity := range list {
			quantity = quantity.DeepCopy()
			quantity.RoundUp(resource.Milli)
			list[name] = quantity
		}
	}
}

// roundBoth rounds requests and limits.
func roundBoth(r *corev1.ResourceRequirements) {
	round(r.Limits, r.Requests)
}

package registry

import (
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
)

// fieldOf returns a field of a Go struct, such as Spec. The result is not valid
// if the struct has no such field.
func fieldOf(object runtime.Object, name string) reflect.Value {
	return reflect.ValueOf(object).Elem().FieldByName(name)
}

func hasStatus(object runtime.Object) bool { return fieldOf(object, "Status").IsValid() }

// keepFieldsExcept sets all fields of object but the given ones to those of
// old.
func keepFieldsExcept(object, old runtime.Object, except ...string) {
	to, from := reflect.ValueOf(object).Elem(), reflect.ValueOf(old).Elem()
	for i := range to.NumField() {
		if !slices.Contains(except, to.Type().Field(i).Name) {
			to.Field(i).Set(from.Field(i))
		}
	}
}

// The functions below implement Resource.bumpsGeneration.

func specChanged(object, old runtime.Object) bool { return changed(object, old, "Spec") }

// changed reports whether a field of the Go struct differs.
func changed(object, old runtime.Object, field string) bool {
	return !apiequality.Semantic.DeepEqual(
		fieldOf(object, field).Interface(), fieldOf(old, field).Interface())
}

// deploymentChanged compares annotations too: a rollout copies them to the
// ReplicaSet.
func deploymentChanged(object, old runtime.Object) bool {
	return specChanged(object, old) || changed(object, old, "Annotations")
}

func podTemplateChanged(object, old runtime.Object) bool {
	return changed(object, old, "Template")
}

// endpointSliceChanged compares labels too: one of them names the service.
func endpointSliceChanged(object, old runtime.Object) bool {
	now, before := *object.(*discoveryv1.EndpointSlice), *old.(*discoveryv1.EndpointSlice)
	if !apiequality.Semantic.DeepEqual(now.Labels, before.Labels) {
		return true
	}
	now.ObjectMeta, now.TypeMeta = before.ObjectMeta, before.TypeMeta
	return !apiequality.Semantic.DeepEqual(now, before)
}

// never keeps the generation at 1.
func never(runtime.Object, runtime.Object) bool { return false }

// webhooksChanged. Compat: R-002: an empty list of webhooks differs from a
// missing one.
func webhooksChanged(object, old runtime.Object) bool {
	return !reflect.DeepEqual(
		fieldOf(object, "Webhooks").Interface(), fieldOf(old, "Webhooks").Interface())
}

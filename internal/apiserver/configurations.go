package apiserver

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration"
)

// configurations are the rules for webhook configurations: those that gatehouse
// holds them to wherever they come from.
type configurations struct{}

// Validate implements rules.
func (configurations) Validate(object, old runtime.Object) field.ErrorList {
	if old == nil {
		return registration.Validate(configuration(object))
	}
	return registration.ValidateUpdate(configuration(object), configuration(old))
}

// Warnings implements rules.
func (configurations) Warnings(object runtime.Object) []string {
	return registration.Warnings(configuration(object))
}

func configuration(object runtime.Object) registration.Configuration {
	return object.(registration.Configuration)
}

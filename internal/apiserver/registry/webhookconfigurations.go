package registry

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration"
)

// validateWebhookConfiguration is a Resource.validateAll.
func validateWebhookConfiguration(
	_ context.Context, object, old runtime.Object,
) field.ErrorList {
	if old == nil {
		return registration.Validate(object.(registration.Configuration))
	}
	return registration.ValidateUpdate(
		object.(registration.Configuration), old.(registration.Configuration))
}

func webhookConfigurationWarnings(object runtime.Object) []string {
	return registration.Warnings(object.(registration.Configuration))
}

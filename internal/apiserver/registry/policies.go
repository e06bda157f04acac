package registry

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/policy"
)

// validatePolicy is a Resource.validateAll for admission policies and their bindings.
func validatePolicy(_ context.Context, object, old runtime.Object) field.ErrorList {
	if old == nil {
		return policy.Validate(object.(policy.Object))
	}
	return policy.ValidateUpdate(object.(policy.Object), old.(policy.Object))
}

func policyWarnings(object runtime.Object) []string {
	return policy.Warnings(object.(policy.Object))
}

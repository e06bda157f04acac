package core

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateCustom_EvictionResponder_Name checks nothing beyond the tags: the
// field is alpha.
func ValidateCustom_EvictionResponder_Name(
	context.Context, operation.Operation, *field.Path, *string, *string,
) field.ErrorList {
	return nil
}

// ValidateCustom_EvictionResponder_Priority checks nothing beyond the tags: the
// field is alpha.
func ValidateCustom_EvictionResponder_Priority(
	context.Context, operation.Operation, *field.Path, *int32, *int32,
) field.ErrorList {
	return nil
}

package fields

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// OneOf returns an error for a value that is present and unknown. The error
// lists the known ones in alphabetical order.
func OneOf[T ~string](at *field.Path, value *T, known ...T) field.ErrorList {
	if value == nil || slices.Contains(known, *value) {
		return nil
	}
	return field.ErrorList{field.NotSupported(at, *value, slices.Sorted(slices.Values(known)))}
}

// Invalid returns an error for each of the messages about a value.
func Invalid(at *field.Path, value string, messages []string) field.ErrorList {
	var problems field.ErrorList
	for _, message := range messages {
		problems = append(problems, field.Invalid(at, value, message))
	}
	return problems
}

// Unusable returns the error for an object that is nil or of another kind.
func Unusable(err error) field.ErrorList {
	return field.ErrorList{field.InternalError(field.NewPath("kind"), err)}
}

// SetIfAbsent sets a field that is nil.
func SetIfAbsent[T any](at **T, value T) {
	if *at == nil {
		*at = &value
	}
}

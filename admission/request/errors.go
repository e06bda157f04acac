package request

import (
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
)

// ArgumentError is the error for an invalid argument, for callers whose users
// know the arguments by other names. Every error of this package wraps one, for
// errors.As, and ends with its text.
type ArgumentError struct {
	// Argument is the invalid argument, or a field of it: "old",
	// "Endpoint.Name", "By.FieldManager" or "object.metadata.namespace".
	Argument string
	// Reason is why it is invalid. It names no other argument.
	Reason string
}

// Error returns the argument and the reason.
func (e *ArgumentError) Error() string { return e.Argument + ": " + e.Reason }

// wrong makes the error of an argument.
func wrong(argument, reason string, args ...any) error {
	return &ArgumentError{Argument: argument, Reason: fmt.Sprintf(reason, args...)}
}

// hasNone is for options that an operation does not have.
func hasNone(argument string, operation admissionv1.Operation) error {
	return wrong(argument, "must be absent for %s", operation)
}

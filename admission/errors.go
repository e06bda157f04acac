package admission

import (
	"fmt"
	"runtime/debug"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// CallError says that a webhook could not be called, or that its answer could
// not be understood. The webhook's failurePolicy decides what follows.
//
// Its text is the one that users of kube-apiserver know (S-253).
type CallError struct {
	// Webhook is the name of the webhook.
	Webhook string
	// Reason is what went wrong.
	Reason error
	// Status is the error as a status, whose code metrics report.
	Status *apierrors.StatusError
}

// Error returns kube-apiserver's text for a failed call.
func (e *CallError) Error() string {
	if e.Reason == nil {
		return fmt.Sprintf("failed calling webhook %q; no further details available", e.Webhook)
	}
	return fmt.Sprintf("failed calling webhook %q: %v", e.Webhook, e.Reason)
}

// Unwrap returns the reason.
func (e *CallError) Unwrap() error { return e.Reason }

// PanicError is a panic that was contained: of a client, a converter, a patch.
type PanicError struct {
	// Value is what was passed to panic.
	Value any
	// Stack is the stack of the goroutine that panicked, for logs.
	Stack []byte
}

// Contained makes an error of what recover returned just now, in a deferred function
// of the goroutine that panicked. A panic that was passed on from another goroutine
// keeps the stack that it had there.
func Contained(recovered any) *PanicError {
	if passed, ok := recovered.(*PanicError); ok {
		return passed
	}
	return &PanicError{Value: recovered, Stack: debug.Stack()}
}

// Error returns the value as text, without the stack.
func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

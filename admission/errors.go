package admission

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// StatusOf returns the status that the client receives for the error of a
// phase.
func StatusOf(err error) *metav1.Status {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		status = apierrors.NewInternalError(err)
	}
	s := status.Status()
	s.APIVersion, s.Kind = "v1", "Status"
	return &s
}

// CallError is the error of a call that failed or whose response was invalid.
// The webhook's failurePolicy decides whether the request fails.
//
// Its text is kube-apiserver's (S-253).
type CallError struct {
	// Webhook is the name of the webhook.
	Webhook string
	// Reason is the cause.
	Reason error
	// Status is the error as a status. Metrics report its code.
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

// PanicError is the error for a panic in the embedder's code or in a library,
// such as a client, a converter or the JSON patch library. The engine returns
// it like any other error, and does not panic again.
type PanicError struct {
	// Value is the argument of panic.
	Value any
	// Stack is the stack of the goroutine that panicked, for logs. It is empty
	// if the goroutine ended by runtime.Goexit.
	Stack []byte
}

// Error returns the value as text, without the stack.
func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

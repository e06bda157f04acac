package message

import "errors"

// ErrDenied ends a command whose answer is no, and whose output says all about
// it. Nothing else is printed.
var ErrDenied = errors.New("denied")

// ErrNotReached ends a command that does not know the answer, because it may not
// connect to a webhook, and whose output says all about it. Nothing else is
// printed.
var ErrNotReached = errors.New("not reached")

// NotReachedError ends a command that does not know the answer, because it may
// not connect to a webhook, and whose output does not say which.
type NotReachedError struct {
	// Err is one or several errors, each of one line. Required.
	Err error
}

// Error returns the text of Err.
func (e *NotReachedError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *NotReachedError) Unwrap() error { return e.Err }

// ErrShown is the Err of an InputError that the output says all about. Nothing
// else is printed.
var ErrShown = errors.New("shown")

// DeniedError ends a command whose answer is no, and whose output does not say
// why.
type DeniedError struct {
	// Err says why. Required.
	Err error
}

// Error returns the text of Err.
func (e *DeniedError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *DeniedError) Unwrap() error { return e.Err }

// UsageError is a mistake on the command line. The command refers the user to
// its help.
type UsageError struct {
	// Err is the mistake, in one line. Required.
	Err error
}

// Error returns the text of Err.
func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *UsageError) Unwrap() error { return e.Err }

// InputError is a mistake in what the command was given to read.
type InputError struct {
	// Err is one or several errors, each of one line, or ErrShown. Required.
	Err error
}

// Error returns the text of Err.
func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *InputError) Unwrap() error { return e.Err }

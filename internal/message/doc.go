// Package message has the kinds of errors that commands return, and helpers for
// the wording of errors, hints and output.
//
// From UsageError, InputError, DeniedError, ErrDenied and ErrShown package cli
// derives the exit status. Every other error is a failure of gatehouse itself.
//
// Notice prints a remark on standard error. FileError, DidYouMean, Count and
// Quoted word remarks and output. Shown and Escaped make text of webhooks and
// files safe to print on a terminal.
//
// The package has no state, and its functions are safe for concurrent use.
package message

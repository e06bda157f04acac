// Package message is how gatehouse addresses people: the kinds of errors that commands
// end with, and the wording of errors, hints and output.
//
// UsageError, InputError, DeniedError, ErrDenied and ErrShown tell the command how it
// ends: package cli prints the error and derives the exit status. Every other error is
// gatehouse's own failure.
//
// Notice prints a remark on standard error. FileError, DidYouMean, Count and Quoted word
// remarks and output. Shown and Escaped make text of webhooks and files safe to print on a
// terminal.
//
// The package has no state, and its functions are safe for concurrent use.
package message

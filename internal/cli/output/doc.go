// Package output prints visits: as a table for people, as YAML for kubectl, as JSON for
// programs. Why a webhook was not called, it says in the words of package explain
// (WhyNot).
//
// New makes a Printer; Verbose and Report make one of it that prints more. Show takes a
// session's requests through the webhooks: each visit is printed, or kept, as soon as it
// is over, and End prints what was kept.
//
// Output goes to one writer, in whole documents or blocks, so that what an interruption
// leaves is whole; notices for people go to another. What webhooks say cannot move the
// cursor of a terminal.
//
// # Concurrency
//
// A Printer belongs to one goroutine. The package keeps nothing.
//
// # Errors
//
// An error is about the output: it cannot be written, or an object cannot be encoded. The
// errors of Show are also those of the session, and command.ErrDenied.
//
// # What it does not do
//
// It finds nothing out and knows no flags but the values of --output.
package output

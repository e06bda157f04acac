// Package output prints visits: as a table for people, as YAML for kubectl, as JSON for
// programs. It also puts into words why a webhook was not called (Reason).
//
// New makes a Printer. Each visit is printed, or kept, as soon as it is over; End
// prints what was kept.
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
// An error is about the output: it cannot be written, or an object cannot be encoded.
//
// # What it does not do
//
// It decides nothing: whether a denial is an error is for the command.
package output

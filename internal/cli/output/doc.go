// Package output prints visits: as a table, as YAML for kubectl, and as JSON
// for programs. New returns a Printer; Verbose and Report wrap it to print more.
// Show admits the requests of a session and prints each visit.
//
// Output goes to one writer, in whole documents or blocks, so that it is
// well-formed after an interruption; notices go to another. Text from webhooks
// cannot control the terminal.
//
// A Printer belongs to one goroutine. Errors are about the output.
package output

// Package check defines checks: a definition, and a function that examines
// webhooks and writes the results into a Record.
//
// A check that had nothing to examine is skipped: Missing sets the reason. A
// check ignores problems that another check reports: a webhook with one fault
// fails one check.
//
// Messages and evidence do not contain the data of Secrets, and are bounded in
// size.
//
// A Record belongs to one goroutine. Checks return no errors; the caller
// notices the end of the context.
package check

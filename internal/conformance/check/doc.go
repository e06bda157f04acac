// Package check combines the definition of a check with a function that
// examines webhooks and writes the results into a Record.
//
// If there is nothing to examine, a check is skipped; Missing sets the reason.
// A check ignores problems that another check reports, so a webhook with one
// fault fails one check.
//
// Messages and evidence do not contain the data of Secrets. Their size is
// limited.
//
// A Record belongs to one goroutine. Checks return no errors; the caller must
// check whether the context has ended.
package check

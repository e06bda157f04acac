// Package known recognizes findings that are caused by a common library, and
// not by the webhook's own code. docs/conformance-findings.md describes these
// findings.
//
// It recognizes a library by the exact text of its response to a request that
// it rejects (libraries.go), and a finding by the exchange that shows it
// (findings.go). It knows only the libraries and findings in these tables.
//
// Describe belongs to one goroutine. It cannot recognize a webhook that does
// not respond.
package known

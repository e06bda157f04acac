// Package known recognizes findings that are properties of a library with which
// many webhooks are written, not of the webhook: docs/conformance-findings.md
// describes them.
//
// It goes by evidence alone. A library is recognized by the exact text of its
// answer to a request that it refuses (libraries.go), and a finding of its
// webhooks by the exchange that shows it (findings.go). What is not in the
// tables is not known.
//
// Describe belongs to one goroutine. A webhook that does not answer is not
// recognized.
package known

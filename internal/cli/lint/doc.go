// Package lint is the command `gatehouse lint`: it finds webhook configurations and
// policies that endanger a cluster, with requests that prove it.
//
//	lint.go      the flags, and the steps
//	document.go  Report: the result, as JSON prints it
//	text.go      the result as text, for GitHub too
//	html.go      the result as a page
//	sarif.go     the result as SARIF
//	junit.go     the result as JUnit XML
//	witness.go   --witness: a request that `gatehouse run` takes
//	fix.go       --fix: changes to files
//	list.go      --list: the rules
//
// Package internal/lint has the rules and runs them. The command calls no webhook and
// makes no connections. It returns message.ErrDenied if there is a finding at --level or
// above that is not silenced.
package lint

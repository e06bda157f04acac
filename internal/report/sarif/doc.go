// Package sarif writes SARIF 2.1.0, the form in which code hosts and editors take what
// tools have found.
//
//	sarif.Write(out, sarif.Run{
//		Tool:    sarif.Tool{Driver: sarif.Component{Name: "gatehouse", Rules: rules}},
//		Results: results,
//	})
//
// The types are those of the standard that are needed here, with its names; fields that
// are not here are left to their defaults. Results refer to rules by their id and
// index, and URI makes of a path what the standard wants of one.
//
// # Errors
//
// They are those of the writer that is written to.
//
// # What it does not do
//
// It checks nothing: what is required is said by the fields. Test project
// test/integration/formats holds what commands write against the schema of the standard.
package sarif

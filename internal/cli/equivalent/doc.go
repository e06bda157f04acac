// Package equivalent is the command `gatehouse equivalent`: it looks for a request that
// two sets of webhook configurations and policies answer differently.
//
//	equivalent.go  the command, and its sides
//	flags.go       Flags: the search and the output, for any command with two sides
//	report.go      Report: the result, as JSON prints it
//	text.go        the result as text
//
// Package internal/equivalence has the search. The command returns message.ErrDenied if
// there is a difference, or if a side is not deterministic.
package equivalent

// Package toys is the API group toys.example.com as the server itself works with
// it: one kind, Robot, in the form that no client sees. What clients send and
// receive is in the packages v1 and v1alpha1; package install puts all of them
// into a scheme.
//
//	types.go       the kind
//	register.go    the group, and what conversions have in common
//	deepcopy.go    copies
//
// # Concurrency
//
// Types and functions hold no state. A value is not safe for use by one goroutine
// while another one writes to it.
//
// # What it does not do
//
// It has no defaults, because they belong to versions, and no generated code: with
// one kind of two slices and maps, copying by hand is shorter than the generator's
// configuration. A group that grows should use deepcopy-gen and conversion-gen of
// k8s.io/code-generator.
package toys

// Package mention finds what admission policies and webhook configurations read: the
// fields that their expressions and selectors read, and the constants with which
// they compare them. Requests that differ there reach branches that others never do.
//
//	var all mention.Set
//	all.Add(inputs)
//
// The package evaluates an expression without values: each part of it stands for the
// fields that it may come from, and for the constants that it may be. The package follows
// variables, the elements of loops, and functions between a field and a constant. The
// result is an estimate: an unnecessary field costs a few requests, and a missing one
// makes a difference harder to find.
//
// A Set belongs to one goroutine while it is added to.
package mention

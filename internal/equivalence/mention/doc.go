// Package mention finds out what admission policies and webhook configurations look at:
// the fields that their expressions and selectors read, and the constants with which
// they compare them. Requests that differ there reach branches that others never do.
//
//	var all mention.Set
//	all.Add(inputs)
//
// An expression is evaluated without values: each part of it stands for the fields that
// it may come from, and for the constants that it may be. Variables, the elements of
// loops, and functions between a field and a constant are followed. The result is a
// guess: a field that is mentioned too often costs a few requests, and one that is
// missed makes a difference harder to find.
//
// A Set belongs to one goroutine while it is added to.
package mention

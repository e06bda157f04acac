// Package mutant spoils gatehouse on purpose, one small fault at a time, to find
// out whether a suite of tests would notice.
//
//	Mutant    a fault: a replacement in the text of one source file
//	Fault     the same as a row of a table, and
//	Mutants   back from rows to mutants
//	Overlay   some of them written into copies of the sources, asleep
//	Variable  the environment variable that wakes one of them up
//
// The copies are given to the go command with -overlay, so that gatehouse itself
// has no trace of them, and one build has all of them. A mutant whose text is no
// longer there, or is there twice, is an error, so that a change of gatehouse cannot
// quietly retire it; so is one that changes nothing.
//
// Package test/internal/parity/mutant has the faults that the comparison with kube-apiserver
// has to find, package test/internal/soak/promise one for every promise.
package mutant

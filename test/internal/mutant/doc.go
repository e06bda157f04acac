// Package mutant injects small faults into gatehouse, one at a time, to test
// whether a suite of tests detects them.
//
//	Mutant    a fault: a replacement in the text of one source file
//	Fault     the same as a row of a table, and
//	Mutants   converts rows to mutants
//	Overlay   writes copies of the sources that contain the faults, inactive
//	Variable  the environment variable that activates one of them
//
// The go command gets the copies with -overlay, so that gatehouse's sources
// stay unchanged and one build has all faults. A mutant whose text is missing
// or ambiguous, or that changes nothing, is an error, so that a change of
// gatehouse cannot silently disable it.
//
// Package test/internal/parity/mutant has the faults that the comparison with
// kube-apiserver must detect, package test/internal/soak/promise one for every
// promise.
package mutant

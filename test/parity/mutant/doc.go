// Package mutant spoils the engine on purpose, one small fault at a time, to find
// out whether the comparison with kube-apiserver would notice.
//
//	All       the faults
//	Overlay   all of them written into copies of the engine's sources, asleep
//
// A mutant is a replacement in the text of one source file. The copies are given to
// the go command with -overlay, so that the engine itself has no trace of them, and
// one build has all of them: the environment variable GATEHOUSE_MUTANT wakes one
// up. A mutant whose text is no longer there, or is there twice, is an error, so
// that a change of the engine cannot quietly retire it.
package mutant

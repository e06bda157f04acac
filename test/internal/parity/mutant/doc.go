// Package mutant lists faults of the engine that the comparison with
// kube-apiserver must detect.
//
//	All        the faults, for mutant.Overlay of package test/internal/mutant
//	Exchanges  those that only the table of webhook faults detects
//
// A surviving mutant shows a behaviour that is not compared.
package mutant

// Package mutant lists the faults that the comparison with kube-apiserver has to
// notice when they are put into the engine.
//
//	All        the faults, for mutant.Overlay of package test/internal/mutant
//	Exchanges  those that only the contract about webhooks' faults shows
//
// A mutant that the comparison does not notice shows what is not compared.
package mutant

// Package calibration finds out whether the checks of package test/internal/soak/promise can
// be trusted.
//
//	TestGatehouse  gatehouse keeps every promise
//	TestUpstream   kube-apiserver's own plugins, in whose place gatehouse is put by
//	               Register, break those that they are known to break: the checks
//	               find these faults again
//	TestSwitches   every promise has a fault that breaks it in gatehouse's sources;
//	               with it the check is red, for that reason. This one has the build
//	               tag promises
//
// A check that finds nothing with kube-apiserver, where the fault is known to be,
// and nothing with the switch, would find nothing in gatehouse either.
//
// make promises runs all three, the bursts 5,000 times, and prints a table. This
// package holds nothing but tests, because only tests may import kube-apiserver's
// webhook plugins.
package calibration

// Package calibration tests the checks of package test/internal/soak/promise.
//
//	TestGatehouse  gatehouse keeps every promise
//	TestUpstream   kube-apiserver's own plugins, which gatehouse replaces,
//	               break the promises that they are known to break
//	TestSwitches   for every promise, a gatehouse with an injected fault breaks it,
//	               and the check fails for that reason (build tag promises)
//	TestSwitchesInChurn  for every kind of requests of package churn, a gatehouse
//	               with an injected fault, which a run reports (build tag promises)
//
// A check that does not detect the known faults of kube-apiserver or the
// injected fault would not detect a fault of gatehouse either.
//
// make promises runs all of them, with 5,000 bursts, and prints a table. This
// package has only tests, because only tests may import kube-apiserver's
// webhook plugins.
package calibration

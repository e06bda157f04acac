// Package probetest makes a probe.Collection for the tests of checks, with Go
// functions as webhooks.
//
//	c := probetest.New(t,
//		probetest.Handler(func(review probe.Review, response map[string]any) {
//			response["allowed"] = review.Operation() != "DELETE"
//		}),
//		[]runtime.Object{probetest.Mutating("defaults", "/defaults")},
//		probetest.Pod(admissionv1.Create), probetest.Pod(admissionv1.Delete))
//
// There is no network and no TLS: Config.OwnServer is true, and Config.Dial
// fails. Invalid input fails the test; functions without a testing.TB panic.
package probetest

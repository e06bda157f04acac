// Package probetest makes a probe.Collection for the tests of checks: webhooks
// that are Go functions, and requests that visit them.
//
//	c := probetest.New(t,
//		probetest.Handler(func(review probe.Review, response map[string]any) {
//			response["allowed"] = review.Operation() != "DELETE"
//		}),
//		[]runtime.Object{probetest.Mutating("defaults", "/defaults")},
//		probetest.Pod(admissionv1.Create), probetest.Pod(admissionv1.Delete))
//
// There is no network and no TLS: Config.OwnServer is true, and Config.Dial
// fails. A mistake in the input fails the test, or panics where there is no
// testing.TB.
package probetest

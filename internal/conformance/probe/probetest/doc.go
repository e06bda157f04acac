// Package probetest makes a probe.Collection for the tests of checks: webhooks that are
// functions, and requests that visit them.
//
//	c := probetest.New(t,
//		probetest.Handler(func(review probe.Review, response map[string]any) {
//			response["allowed"] = review.Operation() != "DELETE"
//		}),
//		[]runtime.Object{probetest.Mutating("defaults", "/defaults")},
//		probetest.Pod(admissionv1.Create), probetest.Pod(admissionv1.Delete))
//
// # Steps
//
//  1. Mutating and Validating write configurations that want to see everything; Pod,
//     Widget and Gadget write requests. Functions at the end change what they have written.
//  2. New makes a Collection of them, whose webhooks are all answered by one handler,
//     in-process, and has them meet the requests.
//
// # Concurrency
//
// Every Collection belongs to one test. The handler is called by as many goroutines as
// the check under test has.
//
// # Errors
//
// A mistake in what was given ends the test, or panics where there is no test at hand.
//
// # What it does not do
//
// There is no network, and so no TLS: Webhook.Handled is true, and Config.Dial fails.
package probetest

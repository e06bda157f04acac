// Package conformance checks that admission webhooks conform to the protocol:
// it calls them as kube-apiserver would, and with malformed requests, and
// examines the responses and the patched objects.
//
//	func TestConformance(t *testing.T) {
//		conformance.Test(t, conformance.Subject{
//			Files:   []string{"config/webhook/manifests.yaml"},
//			Handler: mux,
//		})
//	}
//
// `gatehouse conformance` runs the same checks on deployed webhooks.
// docs/conformance.md lists the checks: the effect of a failure, and how to
// correct the webhook.
//
// Without samples, Run makes requests from the rules of the configurations and
// the schemas of the kinds. It derives an update and a deletion from every
// sample that creates an object. Validating webhooks are asked about what the
// mutating ones make of it. The webhooks receive about a thousand real requests,
// in dry run and otherwise, up to 64 at once: test against state that may be
// lost. Runs are independent and may run concurrently, on different
// webhooks.
//
// A webhook that fails a check, or cannot be reached, is in the report. An
// error is a mistake in the Subject, or the end of the context.
//
// The checks do not know the purpose of a webhook: whether it denies the right
// objects is for the webhook's own tests.
package conformance

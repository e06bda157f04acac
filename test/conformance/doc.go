// Package conformance checks that admission webhooks conform to the protocol.
// It calls them as kube-apiserver does, also sends malformed requests, and
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
// sample that creates an object. Validating webhooks receive a sample after the
// mutating webhooks have changed it. The webhooks receive about a thousand real
// requests, not only dry runs, and up to 64 at once: test against state that
// may be lost. Runs are independent. They may run concurrently, on different
// webhooks.
//
// The report has the webhooks that fail a check or cannot be reached. Run
// returns an error only if the Subject is invalid, or if the context ends.
//
// The checks do not know the purpose of a webhook. Its own tests must check
// that it denies the right objects.
package conformance

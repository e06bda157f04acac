// Package conformance finds out what is wrong with admission webhooks: it has them
// answer what kube-apiserver may ask, and what nobody should, and checks what they say
// and what they make of objects.
//
//	func TestConformance(t *testing.T) {
//		conformance.Test(t, conformance.Subject{
//			Files:   []string{"config/webhook/manifests.yaml"},
//			Handler: mux,
//		})
//	}
//
// `gatehouse conformance` is the same for webhooks that run somewhere. docs/conformance.md
// lists the checks: what each is about, why, and how a webhook is mended.
//
// # Steps
//
//  1. The Subject's files are read. If there are no samples among them, requests are made
//     for the rules of the configurations, out of the schemas of the kinds. Every sample
//     that creates an object stands for its update and deletion, too.
//  2. The engine says which samples visit which webhooks, and writes the reviews.
//  3. The webhooks answer them all, and then each check does what it has to.
//  4. What was found is a Report.
//
// Webhooks are asked for real, some hundred times, in dry run and otherwise: give them
// something to work on that may be spoilt.
//
// # Concurrency
//
// Any number of runs may take place at the same time, on different webhooks. Webhooks
// receive up to 64 reviews at once.
//
// # Errors
//
// That a webhook fails a check is no error, and neither is one that cannot be reached: the
// report has it. An error is a mistake in the Subject, or the end of the context.
//
// # What it does not do
//
// It knows nothing about what a webhook is for: whether the right objects are denied is
// for the webhook's own tests.
package conformance

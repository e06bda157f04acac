// Package probe calls webhooks on behalf of the conformance checks: as
// kube-apiserver would, and with requests that kube-apiserver never sends.
//
//  1. New simulates every sample with webhooks that allow everything. So the
//     dispatcher decides which webhooks a sample visits, and encodes the
//     AdmissionReview that each of them receives.
//  2. Collection.Collect sends these reviews to the webhooks, in every version
//     that they list, and keeps the exchanges. Most checks only read these. For
//     a review without an answer it sends variants to find the Cause. Before it
//     turns to the validating webhooks, it has the mutating ones mutate the
//     samples, and replaces the reviews: they are about the mutated objects.
//  3. Other checks change a Review and Send it, or run the dispatcher with a
//     selection of webhooks (Collection.Run).
//
// A webhook may have several faults, and each check should see its own. So
// certificates are verified by the checks of TLS only, and no credentials are
// sent; a response is decoded as far as possible (Answer); and protocol errors
// are corrected before the dispatcher sees a response.
//
// Many goroutines may send reviews to a Webhook. Everything else belongs to one
// goroutine.
//
// A webhook that does not answer, or answers wrongly, is not an error: see
// Exchange. An error is a mistake in the input, or the end of the context.
package probe

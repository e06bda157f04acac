// Package probe calls webhooks for the conformance checks: as kube-apiserver
// does, and also with requests that kube-apiserver never sends.
//
//  1. New simulates every sample with webhooks that allow everything. The
//     dispatcher selects the webhooks that match a sample, and encodes the
//     AdmissionReview for each of them.
//  2. Collection.Collect sends these reviews to the webhooks, in every version
//     that they list, and keeps the exchanges. Most checks only read these. For
//     a review without an answer it sends variants to find the Cause. Before it
//     calls the validating webhooks, it replaces their reviews by reviews of
//     the mutated samples.
//  3. Other checks change a Review and Send it, or run the dispatcher with some
//     of the webhooks (Collection.Run).
//
// A webhook may have several faults, and each check should find its own.
// Therefore only the TLS checks verify certificates, and no credentials are
// sent. Answer decodes a response as far as possible, and protocol errors are
// corrected before the dispatcher receives a response.
//
// Many goroutines may send reviews to a Webhook. Everything else belongs to one
// goroutine.
//
// If a webhook does not answer, or answers wrongly, this is not an error: see
// Exchange. Functions return errors for invalid input, or if the context ends.
package probe

// Package probe talks to webhooks on behalf of checks: in the way in which kube-apiserver
// would, and in ways in which it hopefully never will.
//
// # Steps
//
//  1. New takes every sample through the engine, with somebody who always says yes in
//     place of the webhooks. So it is the engine that decides which webhooks a sample
//     visits, and that writes the AdmissionReview that each of them receives.
//  2. Collection.Meet sends these reviews to the webhooks, in every version that they
//     list, and keeps the exchanges. Most checks do no more than look at these. Where
//     there was no answer, the review is varied to learn what the webhook could not
//     stand (Cause).
//  3. Checks that want something else change a Review and Send it, or use the engine
//     with some of the webhooks in some order (Collection.Run). Those that need not try
//     every sample take one of each kind (Webhook.Typical).
//  4. What is wrong before the first review is seen in a TLS handshake
//     (Webhook.Handshake).
//
// # Nothing in the way
//
// A webhook has more than one fault, and each should be seen behind the others. So
// certificates that do not verify are reported by the checks that are about them and
// accepted by all others, without credentials then; answers are read as far as they can be
// read (Answer); and the engine is shown answers with the slips of the protocol mended,
// because it would not read on.
//
// # Concurrency
//
// Webhooks may be sent reviews by many goroutines. Everything else belongs to one.
//
// # Errors
//
// That a webhook does not answer, or not well, is no error: it is in the Exchange. An
// error is a mistake in what was given, or the end of the context.
//
// # What it does not do
//
// It judges nothing: that is for checks.
package probe

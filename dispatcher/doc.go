// Package dispatcher is the engine: it takes a request through the mutating and
// the validating webhooks as kube-apiserver's own plugins would.
//
// A phase goes like this:
//
//  1. gate: requests for admission configuration and for authentication and
//     authorization reviews are let through unseen (S-010)
//  2. snapshot: the webhooks in force are read once and kept to
//  3. match: the webhooks that the index finds are asked, in order, whether they
//     visit the request; with an observer, all of them are
//  4. call: the review is built, sent, and its answer verified and applied
//  5. record: metrics, audit annotations, warnings and observers are told
//  6. settle: the outcome table says whether the request goes on
//
// Mutating webhooks take steps 3 to 6 one after the other, each seeing the
// object as its predecessor left it; whoever may have to be called again is
// remembered in the request's reinvocation context. Validating webhooks are all
// matched first, then called at the same time, and recorded and settled in
// order when the last one has answered.
//
// Steps 3 and 4 decide and return records; step 5 is the only one with effects
// on the outside, and step 6 is the only place where an outcome becomes an
// error. The two phases share one call path.
//
// # Errors
//
// Errors are apimachinery's StatusErrors with the texts and codes of
// kube-apiserver. See settle.go for the table.
//
// # Concurrency
//
// A Dispatcher is safe for concurrent use and takes no lock on the request path.
// It starts goroutines to call several validating webhooks at once, and all of
// them have ended when the phase returns. It also starts one to decode a large
// answer or to apply a large patch; see below.
//
// # Limits and deadlines
//
// What an answer may cost is bounded by package admission/limits, always. A call
// returns when its time is up, whatever it is doing: its time begins before the
// Client is asked where the webhook is, and neither the Client nor the transport
// that it gives may wait beyond the end of the context. Decoding and patching
// cannot be interrupted; if they may take more than a few milliseconds, they are
// done on a goroutine that is left behind at the deadline. It works on bytes and
// on objects of its own, so that nothing can come of it, and ends because of the
// limits. The host's creaters, typers and defaulters must therefore be safe for
// concurrent use, as those of a runtime.Scheme are.
//
// A panic in a converter, defaulter, patch, client, service resolver, recorder
// or observer does not leave the engine.
//
// # What it does not do
//
// It does not validate or default configurations and does not watch anything: see
// package dispatcher/source. It does not log, except that a call of more than
// half a second leaves its trace in the log, as in kube-apiserver (S-350).
package dispatcher

// Package dispatcher is the engine: it runs a request through the mutating and
// the validating webhooks as kube-apiserver's plugins do.
//
// A phase has these steps:
//
//  1. exempt: webhooks do not receive requests for admission configuration, or
//     for authentication and authorization reviews (S-010)
//  2. snapshot: the phase reads the webhooks in force once
//  3. match: the webhooks that the index finds are matched in order; with an
//     observer, all webhooks are
//  4. call: the engine builds and sends the review, verifies the response and
//     applies the patch
//  5. record: the engine reports to metrics, audit annotations, warnings and
//     the observer
//  6. outcome: the outcome table decides whether the phase continues
//
// The engine runs steps 3 to 6 for one mutating webhook after the other; each
// receives the object with the changes of the earlier ones. The request's
// reinvocation context records which webhooks need a second call. The engine
// matches all validating webhooks first, then calls them at the same time, and
// records them in order when the last one has responded.
//
// Steps 3 and 4 return records. Only step 5 has effects outside of the engine,
// and only step 6 turns an outcome into an error. Both phases share the code of
// a call.
//
// # Errors
//
// Errors are apimachinery's StatusErrors with the texts and codes of
// kube-apiserver. outcome.go holds the table.
//
// # Concurrency
//
// A Dispatcher is safe for concurrent use. The only lock on the request path counts the
// large responses and patches of each webhook, which are bounded. It starts goroutines to
// call several validating webhooks at the same time; they have ended when the phase
// returns. It also starts a goroutine to decode a large response or to apply a large
// patch; see below.
//
// # Limits and deadlines
//
// Package admission/limits limits the cost of a response. A call returns when
// its deadline passes, also while it connects, waits, reads, decodes or patches.
// Its time begins before the engine calls the Client, and neither the Client nor
// its transport may block beyond the end of the context. Decoding and patching
// cannot be interrupted. If they may take more than a few milliseconds, they run
// on a goroutine that the call abandons at the deadline. That goroutine has its
// own memory, the engine drops its result, and the limits ensure that it ends. The
// creaters and typers of the embedder must therefore be safe for concurrent use, as
// those of a runtime.Scheme are. What follows a patch that is applied in time runs
// to its end: the comparison with the object before, and the embedder's defaulter.
//
// The engine recovers from panics of converters, defaulters, patches, clients,
// service resolvers and recorders.
//
// # What it does not do
//
// It does not validate or default configurations and does not watch them: see
// package dispatcher/source. It does not log, except the trace of a call that
// takes more than half a second, as kube-apiserver does (S-350).
//
// Numbers such as S-123 refer to docs/semantics.md.
package dispatcher

// Package limits bounds the memory and the time that the response of a webhook
// can cost, and the length of its messages.
//
// kube-apiserver accepts response bodies of any length, and patches that grow
// an object without limit, so that a broken or compromised webhook can end the
// process. The limits of this package are always in force. Their defaults are
// so large that no correct webhook exceeds them.
//
//	Limits   the limits of one response
//	Budget   the memory for the response bodies of all calls in flight
//	Error    the error for an exceeded limit
//	Cut      cuts a text to a size
//
// dispatcher.New sets the defaults and rejects negative numbers. The package
// that does the work checks a limit before it exceeds the limit. If a limit is
// exceeded, the call ends, or the excess is dropped and counted; see the fields
// of Limits.
//
// Limits must not change once a dispatcher has them. A Budget is safe for
// concurrent use and never blocks.
//
// The package does not bound the requests to webhooks: the embedder bounds the
// size of objects.
//
// Numbers such as S-123 refer to docs/semantics.md.
package limits

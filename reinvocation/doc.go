// Package reinvocation decides which mutating webhooks are called a second
// time.
//
// A mutating webhook with reinvocationPolicy IfNeeded may be called again if
// the object changes after its call. kube-apiserver runs the chain of mutating
// plugins at most twice. State is the webhook plugin's state of a request
// across the two rounds. A reinvocable webhook has these states:
//
//	           Called                 the object changes
//	(unseen) ----------> invoked -------------------------> due
//	                        ^                                |
//	                        |       Called in round 1        |
//	                        +--------------------------------+
//
// Another webhook's patch (S-166) or, between the rounds, a mutating policy or an
// in-tree plugin (S-163) changes the object. A webhook's own patch never makes it due, because
// the webhook counts as invoked only after its call has ended. A webhook that
// was not called in round 0 is never called in round 1 (S-165). In round 1, a
// patch can still make a later webhook of the same round due, but there is no
// third round (S-167).
//
// State has no I/O, clock or locks. It belongs to one request and is not safe
// for concurrent use; the mutating phase calls webhooks one after the other.
//
// Numbers such as S-123 refer to docs/semantics.md.
package reinvocation

// Package reinvocation decides which mutating webhooks are called a second
// time.
//
// A mutating webhook with reinvocationPolicy IfNeeded may be called again when
// the object changes after its call. kube-apiserver runs the chain of mutating
// plugins at most twice; State is what the webhook plugin remembers about a
// request across those two rounds. For each reinvocable webhook:
//
//	           Called                 somebody changed the object
//	(unseen) ----------> invoked -------------------------------> due
//	                        ^                                      |
//	                        |          Called in round 1           |
//	                        +--------------------------------------+
//
// "Somebody" is another webhook's patch (S-166) or, between the rounds, an
// in-tree plugin (S-163). A webhook's own change never makes it due, because a
// webhook counts as invoked only after its call is over. A webhook that was not
// called in round 0 is never called in round 1 (S-165). The same bookkeeping
// goes on in round 1, where it can make a later webhook due in the same round,
// but there is no third round (S-167).
//
// State is a value without I/O, clock or locks. One request owns it; it is not
// safe for concurrent use, and the mutating phase does not need it to be.
package reinvocation

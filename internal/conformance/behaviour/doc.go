// Package behaviour has the checks of how webhooks change objects, alone and
// together.
//
//	idempotent.go    C-IDEMPOTENT: a webhook on its own output
//	order.go         C-ORDER: two webhooks in either order
//	pairs.go         selects pairs of webhooks and their samples
//	combined.go      C-REINVOCATION, C-FIXPOINT, C-COLLECTION: all webhooks
//	convergence.go   decides which of these three applies
//
// The checks take the samples that a webhook answered: package protocol reports
// the others. The dispatcher determines the final object as kube-apiserver
// does, with defaults and rounds; a check of the patch itself, or of a modified
// review, uses a single exchange. Objects are compared with explain.Diff,
// without differences that another check reports (changes.go). A difference
// that may be random has to occur twice.
//
// C-ORDER tries a bounded number of pairs and samples, and notes it. At most
// one of the three checks of all webhooks together reports a sample; they leave
// out webhooks that are not idempotent alone, or did not answer.
//
// The checks of one call of Checks belong to one goroutine and one Collection:
// they cache results for its samples.
package behaviour

// Package behaviour checks how webhooks change objects, alone and together.
//
//	idempotent.go    C-IDEMPOTENT: a webhook on its own output
//	order.go         C-ORDER: two webhooks in either order
//	pairs.go         selects pairs of webhooks and their samples
//	combined.go      C-REINVOCATION, C-FIXPOINT, C-COLLECTION: all webhooks
//	convergence.go   decides which of these three applies
//
// The checks use the samples that a webhook answered. Package protocol reports
// the others. The dispatcher determines the final object as kube-apiserver
// does, with defaults and rounds. A check of the patch itself, or of a modified
// review, uses a single exchange. The checks compare objects with explain.Diff,
// and ignore differences that another check reports (changes.go). If a
// difference may be random, it must occur twice.
//
// C-ORDER tries a limited number of pairs and samples, and says so in its
// result. At most one of the three checks of all webhooks together reports a
// sample. These checks exclude webhooks that are not idempotent alone, or did
// not answer.
//
// The checks that one call of Checks returns belong to one goroutine and one
// Collection, because they cache results for its samples.
package behaviour

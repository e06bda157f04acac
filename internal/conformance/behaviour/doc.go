// Package behaviour has the checks of what webhooks make of objects, alone and together.
//
//	idempotent.go    C-IDEMPOTENT: a webhook on its own output
//	order.go         C-ORDER: two webhooks in either order
//	meetings.go      which two webhooks, and at which samples
//	together.go      C-REINVOCATION, C-FIXPOINT, C-COLLECTION: all of them
//	settling.go      how it is found out which of these three it is
//	dryrun.go        C-DRY-RUN and C-SIDE-EFFECTS
//	identity.go      C-IDENTITY and C-MANAGED-FIELDS: what is none of a webhook's business
//	mirror.go        C-MIRROR-PODS
//	minimal.go       C-MINIMAL-PATCH
//	document.go      an object, operation by operation of a patch
//	latency.go       C-LATENCY
//
// # Steps
//
//  1. The samples that a webhook has a good answer to are taken (Webhook.Good): those
//     without one are about the protocol.
//  2. What becomes of objects is found out with the engine, as it is in kube-apiserver,
//     with defaults and rounds. What is about the patch itself, or takes a review that is
//     a little different, is about a single exchange.
//  3. States of objects are compared as explain.Diff does. What differs is left out if
//     another check is about it (changes.go). Where a difference may be chance, it is
//     looked for once more.
//
// All pairs of webhooks at all samples are too many once there are hundreds of webhooks:
// C-ORDER looks at a bounded number of them, and notes that it did.
//
// The three checks of all webhooks together share no finding: what is wrong with a sample
// is at most one of them. A webhook that is not idempotent alone, or has no good answer, is
// left out before they look.
//
// # Concurrency
//
// The checks that one call of Checks returns belong to one goroutine, and are for one
// Collection: they remember what they have learned of its samples.
//
// # Errors
//
// There are none. A webhook that refuses a sample, or does not answer it, shows nothing.
//
// # What it does not do
//
// It does not look at objects that are denied, and has no opinion on what a webhook
// changes, as long as it is not what no webhook should.
package behaviour

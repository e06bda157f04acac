// Package webhooks has three admission webhooks that do everything right, to learn from
// and to copy, and for each check of `gatehouse conformance` a twin of theirs that does
// one thing wrong.
//
//	/defaults   gives pods the label team, and a seccomp profile
//	/sidecar    adds the container proxy to new pods, and keeps a ledger
//	/policy     denies images of other registries and the deletion of pods that are kept,
//	            warns about the tag latest, and notes images and commands in the audit log
//
// # Steps
//
// A webhook is an http.Handler, and no framework is needed. Each request takes these
// steps, which are the fields of type webhook and may be read in this order:
//
//  1. receive takes the body of a request: POST, JSON, not empty and not too long.
//  2. decode reads the AdmissionReview in it, of either version.
//  3. look reads the objects in the review. Any of them may be missing.
//  4. decide is what the webhook is for. It knows nothing of HTTP or JSON: it gets pods
//     and returns a verdict. The three are in defaults.go, sidecar.go and policy.go.
//  5. record does what has to be remembered, unless it is a dry run.
//  6. answer says the verdict in the words of the API.
//  7. encode and send write it.
//
// A request that cannot be understood is refused with a status of 4xx and a sentence that
// says why. For kube-apiserver the call has failed then, and failurePolicy decides.
//
// # Twins
//
// Twins lists them. Each is made by New, with one step put in place of another or
// something put around it; what differs is one sentence and a few lines. It fails the
// check of its name and passes all others, which the tests of this package find out. Run
// one, and see what is said about it:
//
//	go run ./examples/webhooks/serve -broken C-UID
//
// # Concurrency
//
// A request shares nothing with another but the ledger, which has a lock. A Server may be
// started once.
//
// # What it does not do
//
// The server makes its own certificates, which no webhook in a cluster would: there they
// are files that something renews. And it asks nothing of clients: in a cluster the
// network is what keeps others away.
package webhooks

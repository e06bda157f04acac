// Package webhooks has three correct admission webhooks to copy, and for each
// check of `gatehouse conformance` a twin with one defect.
//
//	/defaults   sets the label team and a seccomp profile on pods
//	/sidecar    adds the container proxy to new pods, and keeps a ledger
//	/policy     denies images of other registries and the deletion of protected pods,
//	            warns about the tag latest, and records images and commands in the audit log
//
// # Steps
//
// A webhook is an http.Handler, without a framework. Each request takes these
// steps, which are the fields of type webhook:
//
//  1. receive reads the body of the request: POST, JSON, not empty and not too
//     long.
//  2. decode decodes the AdmissionReview, of either version.
//  3. look decodes the objects in the review. Any of them may be missing.
//  4. decide is the webhook's own function. It does not depend on HTTP or JSON:
//     it takes pods and returns a verdict. The three functions are in
//     defaults.go, sidecar.go and policy.go.
//  5. record updates the ledger, except in a dry run.
//  6. answer converts the verdict to an AdmissionResponse.
//  7. encode and send write it.
//
// A webhook answers a malformed request with a 4xx status and a reason.
// kube-apiserver then treats the call as failed and applies failurePolicy.
//
// # Twins
//
// Twins lists the twins. Each comes from New, with one step replaced or
// wrapped. It fails the check of its name and passes all others, as the tests
// of this package prove. To run one and check it:
//
//	go run ./examples/webhooks/serve -broken C-UID
//
// # Concurrency
//
// Requests share only the ledger, which has a lock. A Server may be started
// once.
//
// # What it does not do
//
// The server creates its own certificates; in a cluster, a tool creates and
// renews the files. It does not authenticate clients; in a cluster, the network
// restricts access.
package webhooks

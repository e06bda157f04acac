// Package handlers has the webhooks of this project without the server, so that
// tests can call them in process.
//
//	/requests    sets small CPU and memory requests on containers without any
//	/sidecar     adds the sidecar that ships a pod's logs
//	/images      denies images from other registries and images that are not pinned
//	/databases   restricts changes and deletions of Databases
//
// # Steps
//
// Every webhook takes these steps, which are in review.go:
//
//  1. It reads the AdmissionReview from the body.
//  2. It decodes the objects into their Go type. Either may be missing: a
//     CREATE has no old object, a DELETE no new one.
//  3. It calls the webhook's own function, which does not depend on HTTP or
//     JSON.
//  4. It writes the answer as an AdmissionReview with the uid of the request.
//
// # Properties
//
// The answer depends only on the request. A mutating webhook does not change
// its own result, because a cluster may call it twice. The webhooks have no
// side effects, so dry runs need no special case. Requests share no mutable
// state.
//
// # Errors
//
// The handlers answer a malformed request with status 400 and a reason. The API
// server then treats the call as failed and applies failurePolicy.
//
// The webhooks do not repeat the schema of the Database: a cluster rejects such
// objects before it calls a validating webhook.
package handlers

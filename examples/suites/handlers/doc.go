// Package handlers has the webhooks of this project, without the server around them, so
// that tests can ask them in their own process.
//
//	/requests    gives containers that ask for no CPU or memory a little of both
//	/sidecar     adds the sidecar that ships a pod's logs
//	/images      denies images from other registries and images that are not pinned
//	/databases   guards Databases: what may change in them, and when they may go
//
// # Steps
//
// Every webhook takes the same ones, which are in review.go:
//
//  1. The AdmissionReview is read from the body.
//  2. The objects in it are decoded into the type that the webhook is about. Either may
//     be missing: a CREATE has no old object, a DELETE no new one.
//  3. The webhook's own function decides. It knows nothing of HTTP or JSON.
//  4. Its answer is written as an AdmissionReview with the uid of the request.
//
// # What makes them good ones
//
// The same request gets the same answer, whenever it is asked. A mutating webhook that is
// shown its own result has nothing to add, because a cluster may call it twice. Nothing
// happens but the answer: there are no side effects to hide from a dry run.
//
// # Concurrency
//
// Requests share nothing that changes.
//
// # Errors
//
// What cannot be understood is answered with status 400 and a sentence that says why. For
// the API server the call has failed then, and failurePolicy decides.
//
// # What it does not do
//
// It does not repeat what the schema of the Database says: a cluster refuses such objects
// before a validating webhook is asked.
package handlers

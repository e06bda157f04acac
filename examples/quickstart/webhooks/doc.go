// Package webhooks has the four webhooks of the quickstart, written the way one
// writes an admission webhook without a framework: as plain HTTP handlers.
//
//	/label    sets the label "containers" to the number of containers
//	/inject   adds a container "proxy", unless there is one
//	/images   denies images from other registries and warns about "latest"
//	/slow     takes three seconds to say yes
//
// Every request takes the same steps: read an AdmissionReview (admission.k8s.io/v1)
// from the body, read the pod in it, ask the webhook's own function for an
// answer, and write the answer back as an AdmissionReview with the uid of the
// request. The functions know nothing of HTTP or JSON: they get a pod and
// return an answer, and everything else is in review.go and answer.go.
//
// What cannot be understood is answered with status 400 and a sentence that
// says why; the API server then treats the call as failed and the webhook's
// failurePolicy decides. A review without a new object, as for DELETE, is
// allowed.
//
// The handlers keep no state and are safe for concurrent use. They ask nothing
// of the client; in a cluster the network is what keeps others away.
package webhooks

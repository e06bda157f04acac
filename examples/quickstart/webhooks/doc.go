// Package webhooks has the four webhooks of the quickstart: admission webhooks
// without a framework, as plain HTTP handlers.
//
//	/label    sets the label "containers" to the number of containers
//	/inject   adds a container "proxy", unless there is one
//	/images   denies images from other registries and warns about "latest"
//	/slow     takes three seconds to allow the request
//
// Each request takes the same steps: the handler reads an AdmissionReview
// (admission.k8s.io/v1) from the body, decodes the pod, calls the webhook's own
// function, and writes its answer as an AdmissionReview with the uid of the
// request. The functions do not depend on HTTP or JSON: they take a pod and
// return an answer. review.go and answer.go do the rest.
//
// The handlers answer a malformed request with status 400 and a reason; the API
// server then treats the call as failed and applies failurePolicy. They allow a
// review without a new object, as for DELETE.
//
// The handlers keep no state and are safe for concurrent use. They do not
// authenticate clients; in a cluster the network restricts access.
package webhooks

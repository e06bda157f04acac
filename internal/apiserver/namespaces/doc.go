// Package namespaces is the namespace deletion controller of the API server.
//
//	controller.go  Controller: the work queue, retries, start and stop
//	deleter.go     namespacedResourcesDeleter: deletes the content of one namespace
//
// The controller creates the default namespaces when the server starts, and
// deletes the content of Terminating ones through the API, so that admission
// webhooks are called. Attempts that fail, or that leave objects with finalizers
// behind, are repeated after 20 ms to 1 s; unlike kube-controller-manager the
// controller does not report conditions in the status of the namespace.
//
// Concurrency: five namespaces are processed at the same time. Enqueue may be
// called concurrently. The goroutines end before the server stops.
package namespaces

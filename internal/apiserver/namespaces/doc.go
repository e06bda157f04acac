// Package namespaces is the namespace deletion controller of the API server.
//
//	controller.go  Controller: the default namespaces, and the work queue
//	deleter.go     namespacedResourcesDeleter: deletes the content of one namespace
//	conditions.go  the conditions in the status of a namespace
//
// The controller creates the default namespaces when the server starts. It
// deletes the content of Terminating namespaces through the API, as the user of
// kube-controller-manager's namespace controller, so that the server calls
// admission webhooks. If an attempt fails, or leaves objects with finalizers
// behind, the controller repeats it after 20 ms to 1 s. It also removes pods on
// nodes, as a kubelet would.
//
// Concurrency: package controller processes five namespaces at the same time.
// Enqueue may be called concurrently. The goroutines end before the server
// stops.
package namespaces

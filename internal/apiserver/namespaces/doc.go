// Package namespaces is the namespace deletion controller of the API server.
//
//	controller.go  Controller: the default namespaces, and the work queue
//	deleter.go     namespacedResourcesDeleter: deletes the content of one namespace
//	conditions.go  the conditions in the status of a namespace
//
// The controller creates the default namespaces when the server starts, and
// deletes the content of Terminating ones through the API, so that admission
// webhooks are called, as the user of kube-controller-manager's. Attempts that
// fail, or that leave objects with finalizers behind, are repeated after 20 ms
// to 1 s. Pods on nodes, which a kubelet would remove, are removed too.
//
// Concurrency: package controller processes five namespaces at the same time.
// Enqueue may be called concurrently. The goroutines end before the server
// stops.
package namespaces

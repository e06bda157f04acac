// Package garbagecollector is the garbage collector of the API server. By the
// rules of kube-controller-manager's, it deletes objects whose owners do not
// exist, and orphans or deletes the dependents of owners with the finalizers
// "orphan" and "foregroundDeletion".
//
//	controller.go  Controller: the work queue, and the objects of an earlier server
//	storage.go     reports writes to the Controller, instead of watches
//	graph.go       the objects with owners or with a finalizer, and their owners
//	collect.go     the deletion or update of one object
//	objects.go     objects as the API has them
//
// Observe wraps the storage of every resource except events, including custom
// resources, so that the Controller receives a write before the client gets the
// response. An object without owners costs one lookup of its UID when it is deleted,
// and no memory. The graph need not be exact: before the Controller changes an object,
// it reads the object and its owners through the API. It lists the objects of an
// earlier server once.
//
// The Controller makes all changes through the API, as the user of
// kube-controller-manager's garbage collector, so that the server calls
// admission webhooks. After an error it retries within 20 ms to 10 s. A
// reference to an owner of an unknown kind is also an error.
//
// Concurrency: package controller processes five objects at the same time. The
// storage may be used concurrently. The goroutines end before the server stops.
package garbagecollector

// Package garbagecollector is the garbage collector of the API server: it
// deletes objects whose owners do not exist, and orphans or deletes dependents
// for owners with the finalizers "orphan" and "foregroundDeletion", by the rules
// of kube-controller-manager's.
//
//	controller.go  Controller: the work queue, and the objects of an earlier server
//	storage.go     tells the Controller what is written, in place of watches
//	graph.go       the objects with owners or with a finalizer, and who owns whom
//	collect.go     what is done about one object
//	objects.go     objects as the API has them
//
// The storage of every resource, custom resources included, is wrapped, so that
// the Controller learns of a write before the client does. An object without
// owners costs the lookup of its UID when it is deleted, and no memory. Before
// the Controller changes an object, it reads the object and its owners through
// the API, so that the graph need not be exact. Objects of an earlier server
// are listed once.
//
// All changes are made through the API, so that admission webhooks are called,
// as the user of kube-controller-manager's. What fails is tried again after
// 20 ms to 10 s. A reference to an owner of an unknown kind is an error, too.
//
// Concurrency: package controller processes five objects at the same time. The
// storage may be used concurrently. The goroutines end before the server stops.
package garbagecollector

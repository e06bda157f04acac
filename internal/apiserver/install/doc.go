// Package install applies the objects in manifest files to an API server of
// package apiserver, and returns when they are in effect.
//
//	read.go     Read: all files are read before anything is sent
//	patches.go  patches of CustomResourceDefinitions are merged into these
//	order.go    the order in which objects are applied
//	unserved.go kinds that the server does not serve
//	apply.go    Set.Apply: server-side apply, and waiting
//	served.go   waiting until a CustomResourceDefinition is served
//
// After a CustomResourceDefinition, Apply waits until the server serves its
// kind. After a webhook configuration, policy, binding, Service or
// EndpointSlice, it waits until the object is in force (package inforce). So
// the server can store objects of the new kinds, and calls the webhooks and
// evaluates the policies for all later objects.
//
// Apply works like kubectl apply --server-side --force-conflicts. It stops at
// the first error, and does not undo what it has applied.
//
// Concurrency: a Set must not be used concurrently. Errors name the file, the
// document and its line.
package install

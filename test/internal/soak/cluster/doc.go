// Package cluster is an API server as informers see it: webhook configurations that
// can be listed and watched, in memory, and that change as a test says.
//
//	Collection   the objects of one kind: Put, Delete, and the two ways in which a
//	             server ends watches (Break, Expire)
//	Follow       a client-go informer of a Collection
//
// What comes between them is client-go's own: reflector, queue, store and handlers.
// So what the informer's handlers see, and when, is what they see in a real process:
// after Break the reflector resumes its watch, if that has lasted for a second, and after
// Expire it lists again, with all that was changed in between in one go.
//
// # Concurrency
//
// All methods may be called at any time. The objects that are put become the
// collection's; nobody may change them any more, and informers deliver the very same.
//
// # Errors
//
// There are none but those that a watch is ended with.
//
// # What it does not do
//
// It knows no selectors, no namespaces and no validation, and is not reached over
// HTTP: package test/internal/serve is about a real server.
package cluster

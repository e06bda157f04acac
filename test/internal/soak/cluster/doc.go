// Package cluster is an API server as informers see it: webhook configurations,
// in memory, that can be listed and watched.
//
//	Collection   the objects of one kind: Put, Delete, and the two ways in which a
//	             server ends watches (Break, Expire)
//	Follow       a client-go informer of a Collection
//
// Reflector, queue, store and handlers are client-go's own, so handlers see the
// same events as in a real process: after Break the reflector resumes its
// watch, if the watch lasted for a second; after Expire it lists again and gets
// all changes at once.
//
// # Concurrency
//
// All methods are safe for concurrent use. The collection takes ownership of
// the objects that are put into it: the caller must not modify them, because
// informers deliver the same pointers.
//
// # Limits
//
// There are no selectors, namespaces, validation or HTTP; package
// test/internal/serve tests a real server.
package cluster

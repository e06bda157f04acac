// Package backend runs the webhooks of a soak: one server whose webhooks
// respond as the model prescribes, whose certificate authority can be replaced
// during the run, and a fault server for every fault.
//
// Authorities are replaced in three steps, as operators do it: after Announce,
// configurations trust the old and the next authority; Switch changes the
// server's certificate when all requests under way know both; after Retire,
// configurations trust only the new one.
//
// # Concurrency
//
// All methods are safe for concurrent use, but the three steps must be called
// in order.
//
// # Errors
//
// Start returns an error if a server cannot be started. A request that is no
// review gets 400. Of requests the backend keeps only a count.
package backend

// Package apiserver serves Kubernetes API types from one process: an API server
// that client-go and kubectl take for kube-apiserver as far as its resources go,
// with a database of its own and nothing to install.
//
// It puts k8s.io/apiserver's generic server to work. What that one leaves to its
// users is here, in this order:
//
//	resources.go       the table of what is served; a plain resource is a line
//	scheme.go          the Go types of the table, and how they are encoded
//	kinds.go           what the table says of single kinds
//	strategy.go        what happens to an object before it is stored
//	configurations.go  the same for webhook configurations, by package registration
//	store.go           the table's rows as storage
//	definitions.go     the OpenAPI documents, from package openapi
//	identity.go        certificate, token, and who holds it
//	version.go         the release that it says it is
//	chain.go           the admission plugins that the caller wants
//	generic.go         all of it as a configuration of the generic server
//	server.go          Start and Stop
//	ready.go           waiting until it serves
//
// Start returns when /readyz says so, which takes a few hundred milliseconds.
// Stop lets requests finish, ends watches, and closes the database.
//
// Objects are defaulted by package defaults, and webhook configurations by
// package registration, which also validates them as kube-apiserver does. Of all
// others only the metadata is validated. Deletion is plain: a namespace goes
// without what is in it, a pod without grace, and nobody collects garbage, which
// is why the propagation policy of a deletion is ignored. No resource has
// subresources yet, so that status is stored as it is written. Nothing is in the
// database that no client has put there, not even the namespace "default".
//
// Whoever holds the server's token may do everything; everyone else may do
// nothing, not even ask whether the server is ready. The server listens on
// 127.0.0.1 only.
//
// Concurrency: a process may have any number of servers, at the same time and one
// after the other. They share what k8s.io/apiserver has once per process: feature
// gates, which are left at their defaults, metrics, which count for all servers
// together, and klog, to which a server writes a few lines as it comes and goes.
// The methods of a Server may be called from everywhere.
//
// Errors of Start say what was attempted, and leave nothing behind. One trap is
// k8s.io/apiserver's: when one of its start-up hooks fails, it ends the process.
package apiserver

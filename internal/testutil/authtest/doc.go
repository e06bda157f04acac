// Package authtest has the connections of webhook clients end where a test wants them,
// whatever the address of the webhook: at a server that stands in for all.
//
// Concurrency: what it returns may be used from many goroutines, if the dialer may.
// Errors are those of the resolver underneath. It is imported by tests only.
package authtest

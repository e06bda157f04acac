// Package churn is a soak test of configuration changes. Callers send requests
// at full speed, some webhooks fail, and configurations are created, updated,
// deleted, renamed and replaced all the time, and namespaces labelled, behind
// informers whose watches break and expire, with certificates whose authority
// is replaced.
//
// Requests create, update, delete, connect, and run dry, in two versions of a
// resource. They meet policies, conditions, selectors, and second rounds of
// mutating webhooks. A run of many requests fails if one of these kinds is
// missing.
//
// # One run
//
//	the backend starts, configurations are written, the engine is created and ready
//	callers    send one request after the other through both phases and compare the
//	           outcome with the outcomes that the states between the start and the
//	           end of the request permit (caller.go, package model)
//	writer     changes configurations in cycles: from one change per second to 200,
//	           then a pause until everything is delivered, after which only the last
//	           state is permitted (writer.go); each cycle has one larger event
//	           (events.go)
//	recorder   samples goroutines, descriptors, sockets, heap and memory
//	at the end the engine's metrics must add up to the observed calls; the engine is
//	           closed, and its goroutines and sockets must be gone a second later
//
// # Concurrency
//
// During Run nothing else in the process may open sockets or start goroutines
// that stay.
//
// # Errors
//
// An error of Run means that the run could not start. Violations are in its
// Result.
//
// Run does not measure speed: callers, webhooks and the comparison share the
// machine.
package churn

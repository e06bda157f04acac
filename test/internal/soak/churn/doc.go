// Package churn is a soak under change: callers at full speed, webhooks of which some
// go wrong, and configurations that are created, updated, deleted, renamed and replaced
// all the while, behind informers whose watches break and expire, with certificates
// whose authority is replaced.
//
// # One run
//
//	backend starts; configurations are written; the engine is made and ready
//	callers    take one request after the other through both phases, and compare
//	           what became of it with what some state between its start and its
//	           end allows (caller.go, package model)
//	the writer changes configurations, in cycles: from a change a second to 200, then
//	           silence until everything is delivered, from which on only the last
//	           state is allowed (writer.go); once in each cycle something bigger
//	           happens (events.go)
//	the recorder notes goroutines, descriptors, sockets, heap and memory
//	at the end the engine's metrics must add up to the calls that were seen, the
//	           engine is closed, and what it had must be gone a second later
//
// # Concurrency
//
// Run has everything to itself: nothing else in the process may open sockets, or start
// goroutines that stay, meanwhile.
//
// # Errors
//
// An error of Run says that there was no run. What went wrong in it is among the
// Violations of its Result.
//
// # What it does not do
//
// It measures no speed: callers, webhooks and the comparison share the machine.
package churn

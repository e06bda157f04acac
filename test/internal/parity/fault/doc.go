// Package fault sends requests to webhooks with a single fault through
// kube-apiserver's plugins and through gatehouse's, and compares the outcome of
// each with a promise.
//
//	Row          a fault: its ID, the server's script, and the promises
//	Setup        what is unusual on the client's side: the webhook's
//	             configuration, the request, its deadline
//	Promise      the promised outcome in the short form of a table
//	Combination  mutating or validating, Fail or Ignore
//	Outcome      what can be observed from outside, as observed or as promised
//	Runner       sends the request of one row, combination and side
//	Clock        compares the duration with the promise
//
// A Promise names a class, such as C503: "the call failed with code 503".
// class.go defines, for each phase and policy, the verdict, text, metrics and
// annotations of a class. The same table applies to upstream. check.go rejects
// rows whose promise would check less than it seems to.
//
// # Connections
//
// Connections are in memory, inside a bubble of testing/synctest, so that
// timeouts take no time; only faults that need sockets use them.
//
// # Concurrency
//
// Runs that compare metrics are sequential, because apiserver's metrics are
// global. See Runner.
//
// # Errors
//
// An error means that a run could not take place. A plugin's mistake is in the
// Outcome.
//
// # Limits
//
// It does not compare the requests that webhooks receive, spans or latency
// trackers; package harness does.
package fault

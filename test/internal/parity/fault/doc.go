// Package fault takes single faults of a webhook through kube-apiserver's plugins
// and through gatehouse's, and holds what each of them does against a contract.
//
//	Row          a fault: its id, what the server does, and what is promised
//	Setup        what is unusual on the client's side: the webhook's
//	             configuration, the request, its deadline
//	Promise      the promised outcome in the short form of a table
//	Combination  mutating or validating, Fail or Ignore
//	Outcome      what can be seen from outside, as observed or as promised
//	Runner       sends the request of one row, combination and side
//	Clock        holds the time that it took against the promise
//
// A Promise names a class, such as C503: "the call failed with code 503". What
// that means for the verdict, its text, the metrics and the annotations in each
// phase and with each policy is said once, in class.go, and holds for upstream as
// well: a row that promises upstream something else than it does fails. A row that
// promises less than it seems to, because of a slip of the pen or because nothing
// would be held against it, is not even read: see check.go.
//
// # Carriers
//
// Connections exist in memory only, inside a bubble of testing/synctest, so that
// a timeout takes no time; faults that only sockets can have are the exception.
//
// # Concurrency
//
// Runs that look at metrics go one at a time, because apiserver's metrics are
// global. See Runner.
//
// # Errors
//
// An error says that a run could not take place. What a plugin does wrong is in
// the Outcome.
//
// # What it does not do
//
// It does not compare what webhooks receive, spans or latency trackers; package
// world does.
package fault

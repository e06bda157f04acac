// Package model predicts the outcome of a request from the webhook
// configurations in force.
//
//	RequestAt    the n-th request: its operation, its object, and the fault it selects
//	Draft        a configuration to be written, at a revision
//	Of           a configuration as it was written, read back from the API object
//	State        the configurations that are in force together
//	Policies     the policies of a run, which do not change
//	Observe      what happened → Outcome
//	Allowed      the states that may explain an outcome
//	Kinds        what requests were, and met
//	History      the states in the order in which they came into force
//
// A run compares the two outcomes as texts. Every revision of a configuration
// has its own paths, and webhooks write their revision and what they received
// into an audit annotation, so that an outcome shows both. The outcome of a
// webhook with a fault shows its name; there are two of each in turn. A
// webhook's verdict is a pure function of revision and request number; fault.go
// has the results of faults. The audit annotations and the error show every call and how it ended.
//
// # Windows
//
// A request may see any of the states that were in force between its start and
// its end: History.Open returns the states delivered at the start, and
// Window.Close those whose delivery had begun at the end. Without changes that
// is one state. Namespaces have a history, too. A second round of mutating
// webhooks sees a state and labels of its own.
//
// # Limits
//
// The model has no time, and of selectors and matchConditions one form each.
// Package test/internal/parity compares the others with kube-apiserver.
package model

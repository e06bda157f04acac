// Package model predicts the outcome of a request from the webhook
// configurations in force.
//
//	RequestAt    the n-th request: the kind of its object, and the fault it selects
//	Draft        a configuration to be written, at a revision
//	Of           a configuration as it was written, read back from the API object
//	State        the configurations that are in force together
//	Predict      state and request → Outcome
//	Observe      what happened → Outcome
//	History      the states in the order in which they came into force
//
// A run compares the two outcomes as texts. Every revision of a configuration
// has its own paths, and webhooks write their path into an audit annotation, so
// that an outcome shows the revision. The outcome of a webhook with a fault
// shows its name; there are four of each in turn. A webhook's response is a
// pure function of revision and request number; fault.go has the results of
// faults. The audit annotations and the error show every call and how it ended.
//
// # Windows
//
// A request may see any of the states that were in force between its start and
// its end: History.Open returns the states delivered at the start, and
// Window.Close those whose delivery had begun at the end. Without changes that
// is one state.
//
// # Limits
//
// The model has no reinvocation, no matchConditions, no time, and no selectors
// but the one by which a request selects its fault. Package
// test/internal/parity compares these with kube-apiserver.
package model

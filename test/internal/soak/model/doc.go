// Package model knows what has to happen to a request, given which webhook
// configurations are in force.
//
//	RequestAt    the n-th request: what kind of object, and which fault it asks for
//	Draft        a configuration to be written, at a revision
//	Of           a configuration as it was written, read back from the API object
//	State        the configurations that are in force together
//	Predict      state and request → Outcome
//	Observe      what really happened → Outcome
//	History      the states in the order in which they came into force
//
// A run compares the two outcomes as texts. Each revision of a configuration has paths
// of its own, and webhooks say in an audit annotation under which they were called: so
// an outcome tells the revisions apart. Of webhooks with a fault, which say nothing, it
// shows the name, of which there are four in turn. What a webhook answers is a pure
// function of revision and request number, what a fault leads to stands in fault.go. What
// was called, and how it ended, is in the audit annotations, as in kube-apiserver, and in
// the error. Nothing that is called leaves no trace.
//
// # Windows
//
// A request may see any of the states that were in force between its start and its
// end, and nothing else: History.Open says which had been delivered at the start, and
// Window.Close which have begun to be delivered at the end. If nothing changes
// meanwhile, that is one state.
//
// # What it does not do
//
// It does not model reinvocation (no webhook asks for it), selectors other than the one
// by which a request meets its fault, matchConditions, and time: package test/internal/parity
// compares all of that with kube-apiserver.
package model

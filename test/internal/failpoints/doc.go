// Package failpoints injects a cancellation, a panic or a delay at every point
// of internal/engine/failpoint and checks the outcome of the request.
//
// The tests need the build tag failpoints: make failpoints. Two webhooks, on
// TLS servers in memory, admit with a patch, warnings and audit annotations.
// Time is virtual, so that the test knows the exact nanosecond at which a
// request must end.
//
// The steps of a run, in order:
//
//	site      the failpoint and its promises: the table
//	run       the fault, the webhook, the phase, the failurePolicy, the kind of
//	          object, and short or long responses
//	model     computes the expected outcome from the promises
//	world     runs the request through the engine
//	observed  compares the outcome with the model's
//
// Compared are the status, the time, the object (unchanged, or with the patches
// of all webhooks that were called successfully), the audit annotations, the
// warnings and the counters. In addition no panic may leave the engine, no
// memory of the budget may stay reserved, and no goroutine may be left.
//
// The model follows package dispatcher's table of outcomes and its rules about
// time, not the engine's code. It knows neither contexts nor goroutines, only
// when things happen.
//
// kube-apiserver has no failpoints, so there is no comparison with it; package
// parity compares faults that come from outside.
package failpoints

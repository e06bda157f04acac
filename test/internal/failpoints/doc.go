// Package failpoints lets every point of internal/engine/failpoint happen to requests:
// cancelled there, a panic there, too slow there, with everything else in order.
//
// The tests exist only in builds with the tag failpoints: make failpoints. In them
// two webhooks in a row, on TLS servers that exist in memory, say yes and have
// something to say, and their patches change the object. Time is virtual, so that a
// request can be held to the nanosecond at which it has to end.
//
// The steps of a run, in order:
//
//	site      where it happens, and what is promised for there: the table
//	run       what happens there, at which webhook, in which phase, under which
//	          failurePolicy, to what kind of object, with short or long answers
//	model     takes the run through the promises, and says what is to come of it
//	world     takes it through the engine
//	observed  is held against what the model says
//
// Of every run this is compared: the status, the time, the object, which is as it
// was or has all the patches of those who were heard, the audit annotations, the
// warnings and the counters. In addition no panic may leave the engine, no memory of
// the budget may stay reserved, which long answers take some of, and no goroutine may
// be left.
//
// The model is not made from the engine's code, but from what is promised: the table
// of outcomes of package dispatcher, and its rules about time. It knows neither
// contexts nor goroutines, only at which times what happens.
//
// # What it does not do
//
// It does not compare with kube-apiserver, which has no such points; that is what
// package parity does with faults that come from outside.
package failpoints

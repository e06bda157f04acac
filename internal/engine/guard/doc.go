// Package guard calls foreign code: the embedder's converters, defaulters,
// dialers and credential plugins, in-process webhooks, recorders, and libraries
// that may panic.
//
//	Call, Do  run such code and return its panic as an *admission.PanicError
//	Detached  also runs it on a new goroutine, and returns when the caller's context ends,
//	          although the code runs on
//	Within    is Detached with a Graced context, which ends a moment after the caller's
//
// No other package of the library calls recover, and no package raises a
// returned panic again: the error travels up to the engine, which makes it the
// outcome of the call.
package guard

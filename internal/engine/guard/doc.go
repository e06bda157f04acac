// Package guard is the boundary between gatehouse and code that is not gatehouse's: the
// host's converters, defaulters, dialers and credential plugins, in-process webhooks,
// recorders, and libraries that may panic.
//
//	Call, Do  run such code and return its panic as an error
//	Detached  runs it on a goroutine of its own, and leaves it behind when the caller's
//	          context ends
//
// Errors are returned all the way up; the engine makes an outcome of a *PanicError.
package guard

// Package failpoint names points of the engine at which a test can cancel or
// delay a request, or make it panic. A test can produce the faults of a webhook
// with a fault server, but not faults between two lines of the engine.
//
//  1. With adds a Hook to the context of a request; tests call it
//  2. Visit adds the name of the next webhook to the context; the engine calls
//     it
//  3. Hit calls the hook, which may return, wait or panic; the engine calls it
//
// Only the context refers to a hook, so that tests can run in parallel. With
// and Hook exist only in builds with the tag failpoints. In other builds Hit
// and Visit do nothing and are inlined, so that no embedder pays for them. The
// compiler does not inline a Hit in a function literal that is an argument of
// an inlined function; package test/internal/failpoints searches the compiled
// engine for such calls.
//
// # Points of net/http
//
// net/http reports Connected and RequestWritten to the trace that Visit adds to
// the context. At Connected the hook runs on the goroutine of the call. At
// RequestWritten it runs on the goroutine that writes to the connection, as all
// functions of an httptrace.ClientTrace do: a panic there ends the process, and
// net/http waits for the hook even beyond the call's deadline. Hooks may wait
// or cancel there, but must not panic.
//
// # Concurrency
//
// The goroutines of a request may call its hook concurrently: the engine calls
// validating webhooks at the same time, and decodes and applies large responses
// on goroutines that may outlive the call.
package failpoint

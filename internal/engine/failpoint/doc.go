// Package failpoint names the places in the engine at which a test can make
// something happen to a request: let its time run out, be cancelled, or panic.
// Faults of webhooks can be had from outside; what goes wrong between two lines of
// the engine's own cannot.
//
// The steps in order:
//
//  1. With, in a test, gives a request's context a Hook
//  2. Visit, in the engine, notes in the context which webhook is next
//  3. Hit, in the engine, says that a point is reached, and the hook does what it
//     does: return, at once or late, or panic
//
// Hooks are in the context and nowhere else, so that tests run in parallel and no
// state is shared. With and the rest exist only in builds with the tag failpoints.
// In all others Hit and Visit are empty and are inlined, so that nobody who embeds
// the engine can reach a point of it. The compiler would leave a Hit in the literal
// of a function that is handed to one that is itself inlined; package test/internal/failpoints
// looks for such calls in the compiled engine.
//
// # Two points that are not the engine's
//
// Connected and RequestWritten are reported by net/http, to the trace that Visit
// puts into the context. At Connected the hook runs on the goroutine of the call. At
// RequestWritten it runs on the one that writes to the connection, where nobody can
// recover: a panic there ends the process, whatever the engine does, as it would in
// any httptrace.ClientTrace, and net/http waits for it even when the call's time is
// up. Hooks may be slow there, and cancel, but must not panic.
//
// # Concurrency
//
// A hook is called from the goroutines of its request. That may be several at once:
// webhooks that validate are called at the same time, and long answers are decoded,
// and applied, on goroutines that outlive the call when its time is up.
//
// # Errors
//
// There are none. A hook that wants an error cancels the context.
//
// # What it does not do
//
// It does not decide anything, and imports nothing but the standard library.
package failpoint

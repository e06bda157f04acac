// Package command is what all commands of gatehouse share: how they end and how
// they speak.
//
// A command ends with an error, and the kind of the error is how it ends: with a
// UsageError, an InputError, ErrDenied or a DeniedError. Everything else is
// gatehouse's own failure, or an interruption if it is the context's. Package cli
// prints the error and makes an exit status of it; nobody else does either.
//
// A command speaks in three ways: Write is for its output, Notice for what people
// should know besides, and the words of both are FileError, DidYouMean, Count,
// Quoted and, for what others have written, Shown. IsTerminal says whether there are people who look at it.
//
// # Interruption
//
// A command is told by its context that it is interrupted, and has a moment to
// return. One that needs longer says so with Draining.
//
// # Concurrency
//
// The package keeps nothing, starts no goroutines, and its functions may be called
// from anywhere; writers and contexts are the callers'.
//
// # What it does not do
//
// It knows neither flags (package flags) nor admission, but for how package explain shows
// what others have written.
package command

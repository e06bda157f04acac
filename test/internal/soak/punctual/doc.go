// Package punctual measures whether requests come back when the time of their
// webhook is up: for every fault that test/faultserver has a name for, in both
// phases and with both policies, again and again until p99.9 can be told.
//
// The steps, in order:
//
//  1. Every fault is served on a real socket, and called by an engine of its own.
//     What a fault does to its first request only is repeated, so that it meets
//     every other request.
//  2. Those that make requests wait and do nothing else are measured at the same
//     time: they leave the processors alone. Their callers begin one after the
//     other within a timeout, so that what happens when one's time is up is not in
//     the way of the next.
//  3. The others are measured one after the other, so that those that keep the
//     processors busy spoil nobody's clock but their own. The next has to wait until
//     all that a row has started has ended.
//
// Beside every measurement runs a control: a bare timer, again and again. How late
// that is says how punctual the machine can be at that load. It is reported next
// to the row and changes nothing about what counts as a violation.
//
// A row is late if p99.9 of its requests, of all of them, is more than 50 ms beyond
// the timeout. Time is taken around the whole of Admit or Validate.
//
// Concurrency: Run measures time, so nothing else should go on in the process.
//
// Errors: an error says that the measurement could not take place.
//
// What it does not do: judge outcomes, which it only counts. See test/internal/parity.
package punctual

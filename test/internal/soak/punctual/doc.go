// Package punctual measures whether requests return when the timeout of their
// webhook expires: for every named fault of test/faultserver, in both phases
// and with both policies, with enough requests for a p99.9.
//
// The steps, in order:
//
//  1. Every fault is served on a real socket and called by its own engine. A
//     fault that concerns only the first request is repeated for every other
//     request.
//  2. The faults that only make requests wait are measured at the same time,
//     because they use no processor time. Their callers start at staggered
//     times within one timeout, so that their deadlines do not coincide.
//  3. The others are measured one after the other, so that rows that keep the
//     processors busy delay only themselves. A row starts when all work of the
//     previous one has ended.
//
// Each measurement runs beside a control, a bare timer in a loop, whose
// lateness shows how punctual the machine is at that load. The report has it
// next to the row; it does not change the verdict.
//
// A row is late if the p99.9 of all its requests is more than 50 ms beyond the
// timeout. The duration is that of the whole Admit or Validate.
//
// Concurrency: Run measures time, so the process should do nothing else.
//
// Errors: an error means that the measurement could not take place.
//
// Outcomes are only counted; test/internal/parity checks them.
package punctual

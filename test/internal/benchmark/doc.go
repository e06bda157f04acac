// Command benchmark measures gatehouse against the admission webhook plugins of
// k8s.io/apiserver v0.37.2: both in this process, in this run, on the same
// requests. `make bench` runs it; docs/performance.md explains every row and how
// to read the figures.
//
// The steps, in order:
//
//  1. A row opens a cluster in memory, with its webhooks, and both sides' plugins
//     in it, initialized as an API server initializes them.
//  2. Both sides serve the same two requests. Error, status, object and every
//     body that a webhook received are compared byte by byte, but for the uid
//     of the review; a difference ends the program. So does a row whose webhooks
//     are not called as often as the row says.
//  3. Rounds: in each, every row of a group is measured on both sides, the sides
//     taking turns at being first.
//  4. The medians are printed, one line per row, and held against the row's
//     floors. Raw samples go to upstream.txt and gatehouse.txt in Go's benchmark
//     format, results to results.json.
//
// What is measured is the phase of a plugin, from Admit or Validate to its return,
// on attributes that were made before the clock started. Webhooks are reached
// through a transport in memory that answers at once, except in the rows B7,
// where they are a process of their own on loopback, with real TLS.
//
// What is not measured: authentication, decoding of the request, storage, what
// webhooks do, and a network between machines. Memory in use is only in B6/peak;
// elsewhere bytes are those allocated.
//
// Concurrency: rows run one after the other. Within a row, a side's plugins are
// called by one goroutine unless the row is about load.
//
// Errors: everything unexpected, including a request that is refused, ends the
// program with status 1, as does a row below its floor.
package main

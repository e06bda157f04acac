// Command benchmark compares the speed of gatehouse with that of the admission
// webhook plugins of k8s.io/apiserver v0.37.2: both in this process, in this
// run, on the same requests. `make bench` runs it; docs/performance.md explains
// every row and how to read the figures.
//
// The steps, in order:
//
//  1. A row opens a cluster in memory, with its webhooks, and both sides'
//     plugins, initialized as an API server initializes them.
//  2. Both sides handle the same two requests. Error, status, object and every
//     body that a webhook received are compared byte by byte, except the uid of
//     the review; a difference ends the program. So does a row whose webhooks
//     are not called as often as the row says.
//  3. Rounds: in each, every row of a group is measured on both sides; the
//     sides alternate in being first.
//  4. The medians are printed, one line per row, and compared with the row's
//     gates and goals. Raw samples go to upstream.txt and gatehouse.txt in Go's
//     benchmark format, results to results.json.
//
// A measurement is one phase of a plugin, from Admit or Validate to its return,
// on attributes that were made before the clock started. Webhooks are reached
// through a transport in memory that responds at once, except in the rows B7,
// where they are a separate process on loopback, with real TLS.
//
// Not measured: authentication, decoding of the request, storage, the work of
// webhooks, and a network between machines. B6/peak reports memory in use; the
// other rows report bytes allocated.
//
// Concurrency: rows run one after the other. Within a row, one goroutine calls
// a side's plugins unless the row is about load.
//
// Errors: everything unexpected, including a denied request, ends the program
// with status 1, as does a row below its gate.
package main

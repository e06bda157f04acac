// Package world runs scenarios through kube-apiserver's webhook plugins and
// through gatehouse's, in one process, and compares everything that can be seen.
//
//	Harness      a test server and the three sides; made once
//	Side         upstream, gatehouse, gatehouse in exact mode
//	(place)      the world of a step: informers, plugins in a chain, objects
//	Observation  all that a side did about one request
//	Compare      two observations → differences
//	(deviation)  a difference that is meant to be, and what is left of it
//
// A step runs like this. The configurations go into a fake API server; informers
// follow it, and every side's plugins, which are made once, are initialized with
// them as a server does at its start. The chain is a server's: in-tree plugins
// and both webhook plugins, made by apiserver's registry with its reinvocation,
// metrics and audit handlers around them. Then the request goes through one side
// after the other, each with objects, audit event, warnings, trace and metrics of
// its own.
//
// # What is normalized
//
// What is different each time even on one side: uids of reviews, which have to be
// valid and new, but not equal; the client's port in the text of errors; numbers
// of HTTP/2 streams; durations. Webhooks that are called in parallel have no
// order, so what they leave is sorted. If several of them object, kube-apiserver
// tells of whichever is first; then upstream is asked about each alone, see
// (alternatives).
//
// # Concurrency
//
// None: apiserver's metrics are global, and Run sets them to zero. Nothing else
// in the process may use them meanwhile, and a Harness belongs to one goroutine.
// Together makes many requests at once on its own, and leaves out what they share.
//
// # Errors
//
// An error of Run says that a scenario could not be run. That two sides
// disagree, or that one of them panics, is a difference.
//
// # What it does not do
//
// It does not import upstream's webhook plugins, which only tests may: see
// Oracle. It does not look at logs. Durations in metrics are only looked at for
// being there, because upstream's plugins read the real clock for them.
package world

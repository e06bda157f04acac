// Package harness runs scenarios through kube-apiserver's webhook plugins and
// through gatehouse's, in one process, and compares everything that can be
// observed.
//
//	Harness            the test server and all sides; made once
//	Side               upstream, gatehouse, gatehouse in exact mode
//	(environment)      informers and plugin chains for one set of configurations
//	Observation        everything that one side did for one request
//	Compare            the differences between two observations
//	(knownDifference)  an intended difference, which Compare does not report
//
// A step writes its configurations into a fake API server. Informers deliver
// them to the plugins, which are made once per side and initialized as a server
// does at its start. The chain is that of a server: in-tree plugins and both
// webhook plugins, made by apiserver's registry, with its reinvocation, metrics
// and audit handlers. Then each side handles the request in turn, with its own
// objects, audit event, warnings, trace and metrics.
//
// # What is normalized
//
// Values that differ in every run of one side: uids of reviews, which must be
// valid and new; the client's port in error texts; numbers of HTTP/2 streams;
// durations. Validating webhooks are called in parallel, so their results are
// sorted. If several of them deny, kube-apiserver reports the first response;
// the harness then runs upstream with each of them alone, see (alternatives).
//
// # Concurrency
//
// None. apiserver's metrics are global and Run resets them, so nothing else in
// the process may use them during Run, and a Harness belongs to one goroutine.
// Together sends many requests at once itself and does not compare what they
// share.
//
// # Errors
//
// An error of Run means that the scenario could not be run. A disagreement or a
// panic of a side is a Difference.
//
// # Limits
//
// Only tests may import upstream's webhook plugins; they pass them in as
// Oracle. Logs are not compared. Of durations in metrics only the presence is
// compared, because upstream reads the real clock.
package harness

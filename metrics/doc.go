// Package metrics counts calls of webhooks in the metrics that kube-apiserver
// has for them, so that dashboards and alerts for kube-apiserver work with
// gatehouse. Names, labels, buckets and help texts are upstream's (S-330 to
// S-335, S-338, S-339).
//
// # Steps
//
//  1. New registers seven families with the host's own registry. It reuses
//     families that another Metrics has registered there, so several
//     dispatchers of one process add to the same families.
//  2. The engine creates a record of every match and every call, decides the
//     outcome from it, and then passes it to RecordMatch and RecordCall.
//  3. The outcome in the record selects the families. The package does not
//     inspect errors: the engine has classified the call.
//
// What each outcome counts as:
//
//	outcome        request_total, duration   rejection_count             fail_open_count
//	Allowed        code 200, not rejected    -                           -
//	Rejected       its code, rejected        no_error, its code          -
//	FailedClosed   its code, rejected        calling_webhook_error       -
//	FailedOpen     its code, not rejected    -                           yes
//	Canceled       its code, by policy       -                           -
//	Internal       code 0, rejected          apiserver_internal_error 0  -
//	Panicked       -                         -                           if ignored
//
// A duration whose context has a sampled trace has an exemplar with the labels trace_id
// and span_id, as upstream's have. promhttp shows exemplars in the OpenMetrics format.
//
// Manifests counts the reloads of folders of static manifests in three more
// families (S-054). The code that opens a folder reports to it.
//
// # Concurrency
//
// A Metrics and a Manifests are safe for concurrent use.
//
// # Errors
//
// Only New and NewManifests can fail: without a registry, or if another
// collector has the name of a family. Recording does not fail.
//
// # What it does not do
//
// It does not measure durations; the records hold them. It does not write to
// the global registry of k8s.io/apiserver, whose families have the same names;
// package upstream does. It leaves out the metrics of whole plugins and phases
// (S-336, S-337), which the admission chain of the host observes.
//
// Numbers such as S-123 refer to docs/semantics.md.
package metrics

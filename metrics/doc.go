// Package metrics counts what webhooks do, in the metrics that kube-apiserver
// has for it: dashboards and alerts made for an apiserver read gatehouse
// unchanged. Names, labels, buckets and help texts are upstream's (S-330 to
// S-335, S-338, S-339).
//
// # Steps
//
//  1. New registers seven families with the host's own registry. A family that
//     another Metrics has registered there already is shared with it, so several
//     dispatchers of one process add up in one place.
//  2. The engine makes a record of every match and of every call, decides by
//     it, and only then hands it to RecordMatch and RecordCall.
//  3. The outcome that the record carries selects what is counted. No error is
//     looked at here: a call is classified once, by the engine.
//
// What a call counts as:
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
// Folders of static manifests are counted in three families of their own, by
// Manifests (S-054); their recorder is told by whoever opens the folders.
//
// # Concurrency
//
// A Metrics may be used from many goroutines, and so may a Manifests. They have no
// state besides the families, which take care of themselves.
//
// # Errors
//
// Only New and NewManifests can fail: without a registry, or when something else has
// taken the name of a family. Recording has no errors.
//
// # What it does not do
//
// It does not measure: durations come with the records. It does not write to
// the global registry of an apiserver, whose families have the same names but
// belong to upstream's code. It leaves out the families of whole plugins and
// phases (S-336, S-337), which whoever runs the admission chain observes, and
// the exemplars that upstream attaches to sampled traces.
package metrics

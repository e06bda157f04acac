// Package lint finds webhook configurations and policies that endanger a cluster, or
// do not do what their authors want.
//
//	rule.go     Rule: what is wrong, why, and how to fix it
//	cluster.go  Cluster: the inputs, and requests with their outcomes during outages
//	finding.go  Finding: a rule, a position, and a witness or evidence
//	causes.go   findings that one change fixes
//	silence.go  comments and annotations that silence a finding
//	run.go      Run: the findings of all rules
//
// Most rules have witnesses: requests that a cluster depends on, which the engine runs
// while backends are healthy, refuse connections or hang (package simulation). A rule
// reports only what really happens to such a request. Other rules have evidence: a
// certificate that does not fit, a Service without endpoints.
//
// A rule whose objects are not among the inputs is skipped, and the report says so.
//
// Package rules has the rules. Run does not print, connects to nothing, and its
// findings depend on the inputs and the time alone.
package lint

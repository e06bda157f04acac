// Package counts decides what kube-apiserver's metrics count for a call and for
// a match. Both sinks, packages metrics and metrics/upstream, count what it
// says.
//
// Numbers such as S-123 refer to docs/semantics.md.
package counts

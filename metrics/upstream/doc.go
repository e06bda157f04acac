// Package upstream counts the engine's records in k8s.io/apiserver's own
// admission metrics, the global ones that every server built on
// k8s.io/apiserver serves under /metrics. A plugin in such a server must record
// here, so that each family exists once. Other programs use package metrics
// with their own registry.
//
// Importing this package registers apiserver's admission metrics in its legacy
// registry. No other package of gatehouse does, except those that import this
// one.
//
// A Recorder has no state and is safe for concurrent use.
//
// Numbers such as S-123 refer to docs/semantics.md.
package upstream

// Package upstream counts the engine's records in apiserver's own admission
// metrics, the global ones that every server built on k8s.io/apiserver already
// serves under /metrics. A plugin in such a server records here, so that each
// family is there once; everybody else uses package metrics and a registry of
// their own.
//
// Importing this package registers apiserver's admission metrics in its legacy
// registry. It is the only package of gatehouse that does, apart from what
// imports it.
//
// A Recorder has no state and is safe for concurrent use.
package upstream

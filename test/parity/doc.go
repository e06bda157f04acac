// Package parity holds gatehouse against kube-apiserver's own code: upstream's
// exported test tables, with upstream's expectations, run against the engine and
// against the plugins, and upstream's metrics are compared with ours. It holds
// nothing but tests.
//
// Upstream's packages register metrics in a global registry and read global
// feature gates, which is why no other test imports them, and why tests here
// use names of webhooks that no other test uses.
package parity

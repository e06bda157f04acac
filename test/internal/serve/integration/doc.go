// Package integration puts `gatehouse serve` through what kube-apiserver's own
// integration tests ask of its admission webhooks: the built command in a process of
// its own, client-go, HTTPS, and webhooks over TLS. Its rows are named by the
// scenarios, I-M1 to I-S2.
//
// Most scenarios share a server and keep to namespaces of their own. Those that want
// it to be configured, or to end, have one to themselves.
//
// What it leaves to others, because the command cannot be told to: priorities of pods
// (I-R, in test/internal/embedding), servers without a watch cache, and feature gates that are
// off (I-X2, in dispatcher/plugin).
//
// The package has tests only.
package integration

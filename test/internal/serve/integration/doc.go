// Package integration runs kube-apiserver's integration tests of admission
// webhooks against `gatehouse serve`: the built command in a separate process,
// client-go, HTTPS, and webhooks over TLS. The rows have the names of the
// scenarios, I-M1 to I-S2.
//
// Most scenarios share a server and use their own namespaces. Scenarios that
// configure or end the server start their own.
//
// Not here, because the command has no option for it: priorities of pods (I-R,
// in test/internal/embedding), servers without a watch cache, and disabled
// feature gates (I-X2, in dispatcher/plugin).
//
// The package has only tests.
package integration

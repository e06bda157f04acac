// Package scenarios runs Kubernetes' conformance tests of admission webhooks,
// E-01 to E-22 of the catalogue, against `gatehouse serve`: the built command
// in a separate process, used by client-go over HTTPS, with the webhooks of
// package agnhost over TLS. It has only tests.
//
// All scenarios share one server. As upstream, each has its own namespace, with
// a label that its webhooks select, and a second namespace for the marker
// objects that show a client whether a configuration is in force. Most
// scenarios query the server for that instead, which is quicker; scenarios
// about changing configurations poll.
//
// Differences from upstream: no pod ever runs, so attaching (E-03) is a CONNECT
// request that the webhook denies or that ends in 501. The webhooks are no pods
// either, so the scenario creates the EndpointSlice of their Service. One
// scenario has no EndpointSlice and uses the flag --resolve.
package scenarios

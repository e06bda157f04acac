// Package scenarios runs Kubernetes' conformance tests of admission webhooks, E-01 to
// E-22 of the catalogue, against `gatehouse serve`: the built command in a process of
// its own, used by client-go over HTTPS, with the webhooks of package agnhost behind
// TLS. It has tests only.
//
// One server is shared by all scenarios. As upstream, each has a namespace of its own,
// with a label that its webhooks select, and a second namespace for the markers by which
// a client sees that a configuration is in force. Most scenarios ask the server that
// instead, which is quicker; those that are about changing configurations poll.
//
// What is different from upstream: no pod ever runs, so that attaching (E-03) is a
// CONNECT request that the webhook denies, and what it does not deny ends in 501; and
// the webhooks are no pods, so that nobody but the scenario makes the EndpointSlice of
// their service. One scenario does without, and has the command line say where they are.
package scenarios

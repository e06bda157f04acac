// Package simulation runs requests through the webhooks and policies of an
// inventory while backends are healthy, refuse connections or hang. It connects to
// nothing, and time is virtual: a webhook that hangs costs its timeoutSeconds and
// no real time.
//
//	s, err := simulation.New(in)
//	result, err := s.Run(ctx, request, simulation.Down{backend: simulation.Hanging})
//
// A healthy webhook allows the request and changes nothing. A webhook of a backend
// that refuses fails at once, and that of one that hangs after its timeoutSeconds,
// or when the request's deadline is over. The engine decides what follows: its
// matching, failure policies, order and second round are those of an API server.
//
// Result.Elapsed is the time that the request waits for webhooks: the sum of the
// mutating calls, which are made one after the other, in both rounds, and the
// longest of the validating calls, which are made at the same time. A request
// that waits until its deadline fails, whatever the failure policies (S-182).
//
// Result.Explain gives the engine's own explanation of what happened.
//
// Namespaces that the files do not describe exist, with the label of their name
// only.
//
// A Simulator is safe for concurrent use.
package simulation

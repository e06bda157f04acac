// Package conformance runs conformance checks on admission webhooks. Package
// test/conformance is its public interface and documents the checks;
// `gatehouse conformance` runs them on deployed webhooks.
//
//	subject.go       input: webhooks, samples, options
//	reach.go         clients, and the server for a handler under test
//	environment.go   loads the subject, makes samples and clients
//	run.go           runs the checks
//	progress.go      progress notices
package conformance

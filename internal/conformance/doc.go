// Package conformance runs the checks of conformance on admission webhooks. Package
// test/conformance is its public face, and says what it does; `gatehouse conformance` is
// the same for webhooks that run elsewhere.
//
//	subject.go   what is looked at
//	reach.go     how the webhooks are reached
//	stage.go     the webhooks with their samples, ready to be called
//	run.go       runs the checks
//	checks.go    all checks, in order
package conformance

// Package outage says what happens to the requests that a cluster depends on while
// backends of webhooks are down, and which backends cannot start again after all
// were down.
//
//	effect.go     Effect: what an outage does to one request
//	matrix.go     Matrix: every request, with every backend down alone and in pairs
//	needs.go      what a backend needs to start: its pods, their tokens, its endpoints
//	coldstart.go  ColdStart: the order in which backends come up, and those that do not
//	deadlock.go   the smallest cycle, and the smallest exclusion that frees it
//
// All outcomes are those of the engine (package simulation): nothing is estimated.
// A request is run only with those backends down that it reaches: the others make
// no difference.
//
// A Matrix and a ColdStart do not change once they are made. Errors say that a
// request could not be made, or that ctx ended.
package outage

// Package tally has counters and quantiles for runs that may take days. Their
// memory does not grow with the run.
//
//	Durations  quantiles of any number of durations, with an error of 2 %
//	Findings   the number of violations of each kind, and the first texts
//
// Concurrency: both are safe for concurrent use. A read during writes returns a
// state in between.
package tally

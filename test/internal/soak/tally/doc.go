// Package tally counts what happens in a run that may take days, in memory that
// does not grow with it.
//
//	Durations  quantiles of any number of durations, 2 % exact
//	Findings   how often something was not as it should be, and the first texts
//
// Concurrency: both may be used from many goroutines. What is read while others
// still add is of some moment in between.
//
// Errors: there are none.
//
// What it does not do: decide what is too long or what is wrong.
package tally

// Package vitals has statistics of the process: whether its resources grow, and
// whether they are released.
//
//	Take      a Sample: goroutines, descriptors, sockets, heap, resident memory
//	Baseline  a Sample that also has the set of goroutines
//	Record    samples at intervals, in memory that does not grow
//	Slope     the growth of a number per minute
//	Highest   the maximum of each number
//	Drained   waits until goroutines and sockets are back at the baseline
//
// Descriptors, sockets and resident memory come from /proc. Without /proc they
// are 0, which a Sample prints as unknown, and Drained checks only goroutines.
//
// Concurrency: all functions are safe for concurrent use. A Recorder has one
// goroutine, which has ended when Stop returns.
//
// Errors: only Drained returns one, with the stacks of the goroutines that are
// not in the Baseline.
//
// The caller decides which slope is too steep.
package vitals

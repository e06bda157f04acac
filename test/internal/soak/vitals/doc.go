// Package vitals says how a process is: whether what it has grows, and whether
// what it had is gone.
//
//	Take      a Sample: goroutines, descriptors, sockets, heap, resident memory
//	Baseline  a Sample that also knows which goroutines there are
//	Record    samples again and again, in memory that does not grow
//	Slope     by how much one of the numbers rises per minute
//	Highest   the highest of each number
//	Drained   waits until goroutines and sockets are as few as they were
//
// Descriptors, sockets and resident memory come from /proc. Where there is none
// they are 0, which a Sample prints as unknown, and only goroutines can drain.
//
// Concurrency: everything may be called at any time. A Recorder has one goroutine,
// which has ended when Stop returns.
//
// Errors: only Drained has one, with the stacks of the goroutines that are left
// beside those of the Baseline.
//
// What it does not do: judge. How steep a slope may be is up to those who know
// what the process was doing.
package vitals

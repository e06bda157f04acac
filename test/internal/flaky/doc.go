// Command flaky looks for tests that fail now and then. It runs the tests of every package
// many times, in random order, beside loops that keep processors busy, and says at the end
// which have failed how often.
//
// The steps, in order:
//
//	list.go     the packages with tests, of one or more modules
//	run.go      each is built once, and run as often as asked for
//	table.go    a line for each package: its runs, those that failed, the failing tests
//
// The loops are goroutines of the command, so they end with it, however it ends. They only
// run while tests do.
//
// The output of a run that fails is printed at once; it begins with the seed of the order,
// for go test -shuffle. The status is 1 if a run has failed or the command was interrupted.
// The table then has what was run.
package main

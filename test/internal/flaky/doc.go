// Command flaky finds tests that fail now and then. It runs the tests of every
// package many times, in random order, beside loops that keep processors busy,
// and prints the number of failures of each.
//
//	list.go     lists the packages with tests, of one or more modules
//	run.go      builds each once, and runs it as often as the flag says
//	table.go    prints a line for each package: runs, failures, failing tests
//
// The loops are goroutines of the command and run only while tests do.
//
// The output of a failing run is printed at once; it begins with the seed for
// go test -shuffle. The status is 1 if a run failed or the command was
// interrupted. The table then has the packages that ran.
package main

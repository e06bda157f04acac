// Command fuzz runs every fuzz target of the module, one after the other, and
// prints a summary.
//
//	list.go     finds all fuzz targets in the tests of the module's packages;
//	            a new target needs no registration
//	run.go      runs go test -fuzz for each, in its own process group
//	output.go   parses the output
//	table.go    prints a line for each target: executions, new inputs, findings
//
// A finding is an input that fails a target. Go writes it to
// testdata/fuzz/TARGET of the target's package, where it becomes a test; the
// run goes on with the next target and exits with status 1. Interesting inputs
// stay in Go's build cache.
//
// SIGINT ends the current target as its time limit would. The table then has
// the targets that ran, and the status is 1.
package main

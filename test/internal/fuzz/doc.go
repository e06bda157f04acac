// Command fuzz runs every fuzz target of the module, one after the other, and says at the
// end what became of each.
//
// The steps, in order:
//
//	list.go     the module's packages, and in their tests all functions that are fuzz
//	            targets: nobody has to register a new one
//	run.go      go test -fuzz for each, as a process group of its own
//	output.go   what the lines that it prints say
//	table.go    a line for each target: executions, new inputs, findings
//
// A finding is an input that fails a target. Go writes it to testdata/fuzz/TARGET of the
// target's package, where it is a test from then on; the run goes on with the next target
// and ends with status 1. What is interesting but no finding is kept in Go's build cache.
//
// An interrupt ends the target that is running, as its time would; the table then has what
// has been run. The status is 1 then, too, because not everything has been.
package main

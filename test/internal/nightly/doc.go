// Command nightly runs the tests that take hours, one stage after the other, and writes the
// figures of each to a page.
//
//	stages.go   what is run, and which lines of its output are figures
//	main.go     runs the stages; each writes all that it prints to a file of its own
//	page.go     docs/figures.md
//
// A stage that fails does not keep those that follow from being run; the status is 1 then.
// An interrupt ends the stage that is running, and the page has what has been run. The
// figures of stages that are not run stay on the page.
package main

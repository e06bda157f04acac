// Command nightly runs the tests that take hours, one stage after the other,
// and writes the figures of each to a page.
//
//	stages.go   the stages, and which lines of their output are figures
//	main.go     runs the stages; each writes its output to its own file
//	page.go     docs/figures.md
//
// If a stage fails, the next ones still run, and the status is 1. SIGINT ends
// the current stage, and the page has the stages that ran. The figures of other
// stages stay on the page.
package main

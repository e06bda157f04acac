// Package test is the command `gatehouse test`: it runs suites of tests of
// webhooks, and reports the results to users, programs, CI systems and GitHub.
// With --init it writes a first suite from the current behaviour: samples become
// its cases, and package draft writes their results as expectations.
//
// Package suite reads and runs the suites. A form prints the results: each at
// once, or all at the end. Meanwhile standard error shows the progress.
//
// Text from webhooks, and from the commands that serve them, is escaped, so
// that it cannot control the terminal; for GitHub also so that it is not a
// workflow command.
//
// Results arrive on the goroutine that runs the suites. Another one drives the
// progress, and commands print from others: everything that is printed during a
// run goes through the progress, which serializes it. An interrupted command
// waits until the webhooks that it started are gone.
package test

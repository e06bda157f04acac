// Package test is the command `gatehouse test`: it runs suites of tests of webhooks, and
// prints what came of them for people, programs, CI systems and GitHub. And it writes a
// first suite, of what happens today.
//
// # Steps
//
//  1. Package suite reads what the arguments name. Whatever is wrong with a suite is known
//     before a webhook is called or started.
//  2. A selection of the cases is listed, or run by package suite.
//  3. A form shows the results: as they come, or all of them in the end. Meanwhile the
//     progress is shown on standard error.
//  4. What became of them is the end of the command: no, if something is not as expected;
//     and an error, if it could not be found out, whatever became of the rest.
//
// With --init there is a suite without cases, samples make cases of it, and package draft
// writes down what came of them. What says among the samples what the cluster is like, says
// so in the suite.
//
// # Text of others
//
// What webhooks say, and what commands print that serve them, is escaped in texts, so that
// it cannot move the cursor; and for GitHub also so that it is no workflow command.
//
// # Concurrency
//
// Results come in the goroutine that runs the suites. The progress is told the time by
// another one, and commands print in others: all that is printed while suites run goes
// through the progress, one at a time. An interrupted command waits until the webhooks that
// it has started are gone, also if it is interrupted again.
//
// # Errors
//
// They are those of package suite, and of its own flags.
//
// # What it does not do
//
// It judges nothing: what is expected and what is not is for package suite.
package test

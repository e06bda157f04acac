// Package conformance is the command `gatehouse conformance`: it finds out what is wrong
// with webhooks, and prints it for people, programs, CI systems and code hosts.
//
// # Steps
//
//  1. Flags become a conformance.Subject. What --observe names is looked at once, so that
//     a mistake in it is known before any webhook is asked.
//  2. Package test/conformance runs the checks.
//  3. A form writes the report: text, JSON, JUnit XML or SARIF. For the last the files are
//     read once more, to know on which line each webhook is configured.
//  4. What became of it is the end of the command: no, if a check of level must failed;
//     and an error, if a webhook could not be looked at, whatever became of the others.
//
// # Text of others
//
// What webhooks say is escaped in texts, so that it cannot move the cursor. The data of
// Secrets is in no report at all.
//
// # Concurrency
//
// The package itself starts no goroutines. An interruption ends the run without a report.
//
// # Errors
//
// They are those of package test/conformance, and of its own flags.
//
// # What it does not do
//
// It judges nothing.
package conformance

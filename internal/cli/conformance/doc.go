// Package conformance is the command `gatehouse conformance`: it finds defects
// of webhooks, and reports them to users, programs, CI systems and code hosts.
//
// Flags become a conformance.Subject, package internal/conformance runs the
// checks, and a format writes the report: text, JSON, JUnit XML or SARIF. For
// SARIF the command reads the files again, to find the line of each webhook.
//
// Text from webhooks is escaped, so that it cannot control the terminal. No
// report contains the data of Secrets. The package starts no goroutines.
package conformance

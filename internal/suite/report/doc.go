// Package report is what came of suites as a document for programs: what `gatehouse test
// -o json` prints, and docs/schemas/admissiontestreport.v1alpha1.json describes.
//
//  1. Of makes a Report of the results of package suite: a Suite for each that was to be
//     run, a Case for each that was, and the counts of both.
//  2. A case that did not pass has its explanation, as an item of `gatehouse explain -o
//     json`.
//
// Printed finds what commands have printed that serve the webhooks of a suite, wherever
// package process has left it.
//
// # Secrets
//
// Failures and explanations do not have the data of Secrets. What commands print is theirs.
//
// # Concurrency
//
// The package keeps nothing and starts no goroutines.
//
// # Errors
//
// It has none: what went wrong is in the report.
//
// # What it does not do
//
// It writes nothing, and judges nothing but what package suite has judged.
package report

// Package report is the result of suites as a document for programs: the output
// of `gatehouse test -o json`, which
// docs/schemas/admissiontestreport.v1alpha1.json describes.
//
// Failures and explanations do not contain the data of Secrets. The output of
// commands is unfiltered.
package report

// Package junit writes JUnit XML, the form in which CI systems take the results of tests.
//
//	junit.Write(out, &junit.Report{Name: "gatehouse", Suites: []junit.Suite{{
//		Name: "labels.example.com",
//		Cases: []junit.Case{
//			{Name: "C-UID: echoes the uid"},
//			{Name: "C-STATUS: answers with 200", Failures: []junit.Message{{Summary: "500", Text: "…"}}},
//		},
//	}}})
//
// There is no standard of JUnit XML. What is written is what Jenkins, GitLab and GitHub's
// actions have in common: suites that hold cases and nothing else but properties and
// output, and cases with at most one of failures, an error and a reason to be skipped.
//
// # Text
//
// Texts may hold anything. Characters that XML has no way to write, such as the escape of
// a terminal, become the replacement character.
//
// # Errors
//
// They are those of the writer that is written to.
//
// # What it does not do
//
// It reads nothing and judges nothing. Counts are made of the cases; how long things took
// is not added up, because suites may have run at the same time.
package junit

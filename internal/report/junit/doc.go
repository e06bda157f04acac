// Package junit writes JUnit XML, the format in which CI systems read test
// results.
//
//	junit.Write(out, &junit.Report{Name: "gatehouse", Suites: []junit.Suite{{
//		Name: "labels.example.com",
//		Cases: []junit.Case{
//			{Name: "C-UID: echoes the uid"},
//			{Name: "C-STATUS: answers with 200", Failures: []junit.Message{{Summary: "500", Text: "…"}}},
//		},
//	}}})
//
// JUnit XML has no standard. This package writes what Jenkins, GitLab and
// GitHub's actions have in common: suites of cases with properties and output,
// and cases with at most one of failures, an error and a reason to be skipped.
//
// # Text
//
// Texts may contain any character. Characters that XML does not permit become
// the replacement character.
//
// The package computes counts from the cases, but no total durations, because
// suites may run concurrently. Errors are those of the writer.
package junit

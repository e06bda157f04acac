// Package rules has the rules of `gatehouse lint`.
//
//	all.go       All: every rule
//	failures.go  requests that fail while a backend is down
//	delays.go    requests that wait too long for a backend that hangs
//
// Each rule has an ID, a level, a title, a reason, a remedy and its sources;
// docs/lint.md is made from them. testdata has a guilty and an innocent twin for each.
package rules

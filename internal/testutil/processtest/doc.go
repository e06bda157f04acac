// Package processtest reports to tests whether processes still run.
//
// It is for tests only. It keeps no state, starts no goroutine and stops no
// process. It does not wait either: a test that expects a process to end polls.
package processtest

// Package processtest helps tests that start and end processes: whether one still runs, and
// whether ^C ends it.
//
// It is for tests only. It starts no goroutine and stops no process. It does not wait
// either: a test that expects a process to end polls.
package processtest

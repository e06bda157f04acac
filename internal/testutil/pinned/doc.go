// Package pinned finds the tests that pages and tables name: what nothing pins would come
// and go unnoticed.
//
// Concurrency: its functions keep nothing. Errors are those of reading files. It is
// imported by tests only.
package pinned

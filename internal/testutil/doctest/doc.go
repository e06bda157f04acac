// Package doctest finds the tests that pages and tables name, so that a page
// cannot name a test that no longer exists.
//
// It has no state and is imported by tests only.
package doctest

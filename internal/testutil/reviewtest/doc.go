// Package reviewtest makes webhooks from functions, for tests.
//
// An Answer decodes a review, calls the function, and writes its response with
// the UID of the request. A body that is no review gets 400. It has no state
// and is safe for concurrent use if the function is.
//
// It is for tests of webhooks that decide. Tests of invalid responses write
// their own.
package reviewtest

// Package reviewtest makes webhooks of functions that answer requests, for tests.
//
// An Answer reads a review and has the function's response go back in it, with the UID of the
// request. What is no review is answered with 400. It keeps nothing, and serves as many
// requests at a time as the function can stand.
//
// It is for tests whose webhooks decide something. Tests of how webhooks answer, and answer
// badly, write their own.
package reviewtest

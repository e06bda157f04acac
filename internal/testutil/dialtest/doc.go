// Package dialtest makes webhook clients dial the connections of a test,
// whatever the address of the webhook.
//
// Its results are safe for concurrent use if the dialer is. Errors are those of
// the wrapped resolver. It is imported by tests only.
package dialtest

// Package servers tests the project in plain Go tests, each of which has API
// servers of its own: the same tests with webhooks that are called in the
// process, through ports with TLS, and as envtest sets them up.
package servers

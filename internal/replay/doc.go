// Package replay admits the requests of a corpus by webhooks and policies that
// are read from files, and records how each request ended.
package replay

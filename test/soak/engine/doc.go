// Package engine starts what a soak is about: one dispatcher with the limits that
// it has by default, which reaches webhooks over real sockets as it does in an API
// server.
//
// Concurrency: an Engine may be used from many goroutines. Close does not wait for
// requests.
//
// Errors: Start says what is wrong with the configurations.
//
// What it does not do: watch anything. The configurations stay as they are.
package engine

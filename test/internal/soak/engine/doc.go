// Package engine starts the dispatcher of a soak, with default limits and a
// client that reaches webhooks over real sockets, as in an API server.
//
//	Start      an Engine with these configurations
//	NewClient  only its client, for engines with another source
//	Webhook    the fields of a webhook that a soak sets, for either phase
//	Returns    whether a call returns within a bound
//	Late       a client with a fault that soaks must detect
//	Quiet      turns off logging
//
// Concurrency: an Engine is safe for concurrent use. Close does not wait for
// requests.
//
// Errors: Start and NewClient return an error for invalid arguments.
//
// The configurations of an Engine do not change.
package engine

// Package engine starts what a soak is about: one dispatcher with the limits that
// it has by default, which reaches webhooks over real sockets as it does in an API
// server.
//
//	Start      an Engine with these configurations
//	NewClient  its client alone, for engines that follow something
//	Webhook    what a soak has to say about a webhook, in either phase
//	Returns    whether a request returns at all
//	Late       a client that soaks have to find fault with
//	Quiet      without what the engine and its client log
//
// Concurrency: an Engine may be used from many goroutines. Close does not wait for
// requests.
//
// Errors: Start and NewClient say what is wrong with what they were given.
//
// What it does not do: watch anything. The configurations stay as they are.
package engine

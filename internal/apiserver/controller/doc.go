// Package controller is what the controllers of the API server share: a work
// queue with retries, which starts and stops with the server, and clients.
//
//	queue.go   Queue: workers, retries, start and stop
//	client.go  Clients, and waiting until they can be used
//
// Concurrency: Add may be called concurrently, also after the server has
// stopped. The goroutines end before the server stops.
package controller

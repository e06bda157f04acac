// Package controller has the common parts of the API server's controllers:
// clients, and a work queue with retries that starts and stops with the server.
//
//	queue.go   Queue: workers, retries, start and stop
//	client.go  Clients, and waiting until they can be used
//
// Concurrency: Add may be called concurrently, even after the server has
// stopped. The goroutines end before the server stops.
package controller

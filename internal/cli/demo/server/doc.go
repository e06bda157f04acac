// Package server serves the webhooks of the quickstart on loopback, over TLS:
// for `gatehouse demo`, and for tests.
//
// Start creates an in-memory certificate authority, a certificate for the names
// of the four services (<name>.webhooks.svc), and a server on a free port of
// 127.0.0.1. The caller sets CABundle in the clientConfigs and connects to Addr
// for these services. Close stops the server.
//
// Start leaves one goroutine, which accepts connections, and net/http adds one
// per connection. All methods are safe for concurrent use.
//
// The server does not report errors of connections, such as failed handshakes;
// the client does.
package server

// Package server serves the webhooks of the quickstart on loopback, over TLS as a
// cluster would: for `gatehouse demo`, and for tests that want real webhooks.
//
// Start makes a certificate authority in memory, a certificate for the names of
// the four services (<name>.webhooks.svc), and a server on a free port of
// 127.0.0.1. The caller puts CABundle into the clientConfigs and sends
// connections for those services to Addr. Close ends it all.
//
// Start leaves behind one goroutine, which accepts connections, and net/http
// adds one per connection. All methods are safe for concurrent use.
//
// Errors of single connections, such as failed handshakes, are not reported
// here: the client has them too, and says more about them.
//
// The package does not decode the configurations, does not resolve services and
// listens on no other address.
package server

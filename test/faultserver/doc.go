// Package faultserver is a webhook that goes wrong as it is told. With it a
// test finds out what a client of webhooks does when the other side is down,
// slow, or lies.
//
// What the server does is data: a Script, made in Go, read from JSON with
// Parse, or taken from the ready-made ones that Named lists. The script of a
// server that presents an expired certificate to the first connection, and
// answers slowly on the others:
//
//	{
//	  "connections": [{"tls": {"certificate": "expired"}}, {}],
//	  "requests": [[
//	    {"sleep": "2s"},
//	    {"answer": {"body": {"review": {"allowed": true}}, "bodyPace": {"rate": 100}}}
//	  ]]
//	}
//
// # The steps in order
//
//	Listen or InMemory checks the script and starts the server
//	a connection    the n-th element of connections: before, the handshake, after
//	a request       the n-th element of requests: read, sleep, interim, answer, ...
//	                then the next request of the connection, if it can have one
//	Record          what has arrived
//	Close           cuts everything off
//
// Connections and requests are counted over the life of the server, and the
// last element of each list serves all that follow. {"read":"all"} is the first
// step of every request that does not begin with another read. After its steps
// a connection stays open only if the request was read, and answered, as the
// protocol wants it.
//
// # Carriers
//
// Listen uses real sockets of the loopback interface. InMemory uses connections
// that exist in the process only, so that a test in a bubble of
// testing/synctest waits for a timeout of 30 s in no time; use one server per
// bubble, made inside it, and let clients connect with Dial. What goes through
// either is the same, but that only sockets can be reset or half-closed:
// Script.NeedsSockets says whether a script needs them, and InMemory refuses
// it. All certificates are valid from 1999 (the bubble's clock starts in 2000),
// those that are meant to be invalid are so under both clocks.
//
// Virtual time passes only while all goroutines wait. A client that tries again
// and again at once never does; a short sleep in the script keeps its time
// moving.
//
// The server has a certificate for every name that clients ask for, and for
// every address that they give to Dial, so that it can stand in for any
// webhook: one with a service as well as one with a URL.
//
// # Concurrency
//
// All methods may be called at any time. Requests are served at the same time.
//
// # Errors
//
// A script that makes no sense is refused before anything is started. What then
// cannot be done because the client behaves otherwise, such as GOAWAY to a
// client that did not choose HTTP/2, ends the connection and is among the
// Problems of the Record.
//
// # What it does not do
//
// It does not check requests: what it was sent is in the Record. It bounds what
// a client can make it hold, but is no server for anything but tests. In HTTP/2
// the head of an answer has no pace, and its values no more than 16 MiB,
// repetitions aside; what arrives is recorded whether the script reads it or
// not.
package faultserver

// Package faultserver is a webhook with scripted faults. Use it to test how a
// client of webhooks handles a webhook that is down, is slow, or sends invalid
// responses.
//
// A Script describes the server's behaviour. Write it in Go, read it from JSON
// with Parse, or use one of the scripts that Named lists. This script presents
// an expired certificate on the first connection, and responds slowly on the
// others:
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
//	Record          returns the requests that arrived
//	Close           ends all connections
//
// The server counts connections and requests from its start. The last element
// of each list applies to all that follow. {"read":"all"} is the first step of
// every request that does not begin with another read. After the steps of a
// request, a connection stays open only if the request was read and answered as
// the protocol requires.
//
// # Carriers
//
// Listen uses real sockets of the loopback interface. InMemory uses connections
// within the process, so that a timeout of 30 s takes no real time for a test
// in a bubble of testing/synctest. Create one server per bubble, inside it, and
// let clients connect with Dial. Both carry the same data, but only sockets can
// be reset or half-closed: Script.NeedsSockets returns whether a script needs
// them, and InMemory rejects such a script. All certificates are valid from
// 1999, because the bubble's clock starts in 2000. Invalid certificates are
// invalid under both clocks.
//
// Virtual time passes only while all goroutines wait. A client that retries
// without a pause never waits; add a short sleep to the script so that time
// passes.
//
// The server has a certificate for every name that clients request, and for
// every address that they pass to Dial, so that it can replace any webhook,
// with a service or with a URL.
//
// # Concurrency
//
// All methods are safe for concurrent use. The server serves requests
// concurrently.
//
// # Errors
//
// Listen and InMemory reject an invalid script. If the server cannot perform a
// step because of the client, such as GOAWAY to a client that did not choose
// HTTP/2, it ends the connection and adds the step to the Problems of the
// Record.
//
// # What it does not do
//
// It does not check requests; the Record contains them. It limits the memory
// that a client can use, but it is for tests only. In HTTP/2 the head of an
// answer has no pace, and its values have at most 16 MiB, without repetitions;
// the server records everything that arrives, whether the script reads it or
// not.
package faultserver

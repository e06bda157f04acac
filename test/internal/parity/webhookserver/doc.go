// Package webhookserver is the webhook side of the comparison: one TLS server
// on loopback that responds as a scenario prescribes and records its requests.
//
//	Start      listens, with its own certificate authority
//	Script     resets the server and sets the responses of the next run
//	Watch      calls back for every request on its arrival
//	WatchLate  calls back for requests whose response is to be late
//	Requests   returns the requests since Script
//	Close      ends everything, including requests that wait
//
// A path is served by the script or else by the handler of that name
// (named.go); other paths get 404. The named handlers do what the webhooks of
// Kubernetes' end-to-end tests do, under the same paths. Two have a parameter
// in the path: /always-allow-delay-5s takes any Go duration, and
// /mutating-pods-sidecar/IMAGE adds a sidecar with that image, or denies if
// there is none.
//
// # Concurrency
//
// The server handles requests concurrently. Script and Requests must not be
// called during a run: Script waits until no request is being served, because a
// late request would count for the next run. A handler that waits returns when
// the client disconnects or the server is closed.
//
// # Errors
//
// A request that the server cannot handle gets 400, 404 or 500. The server does
// not check requests; package harness compares them.
package webhookserver

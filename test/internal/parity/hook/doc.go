// Package hook is the webhooks of the comparison: one TLS server on the loopback
// interface, which says what a scenario tells it to and remembers what it was
// asked.
//
//	Start      listens, with an authority of its own
//	Script     forgets everything and takes the answers of the next run
//	Watch      is told of requests as they come
//	WatchLate  is told of those that are to be late
//	Requests   what has been asked since
//	Close      ends everything, waiting requests included
//
// A path is served by the first that knows it: the answers of the script, a
// handler with a name (named.go), 404. The named handlers do what the webhooks of
// Kubernetes's own end-to-end tests do, under the same paths. Two of them take
// parameters from the rest of the path: /always-allow-delay-5s waits for 5 s, and
// /always-allow-delay-20ms for 20 ms, any duration of Go being possible;
// /mutating-pods-sidecar/IMAGE adds a sidecar of that image, and without an image
// denies.
//
// # Concurrency
//
// Requests are served at the same time. Whoever calls Script and Requests must
// have no run under way: a request that comes late would be counted among those
// of the next run, which is why Script waits until none is being served. A
// handler that waits stops when the client goes away or the server is closed.
//
// # Errors
//
// A webhook has none; what it cannot answer it answers with 400, 404 or 500.
//
// # What it does not do
//
// It does not judge: requests are kept as they came, and comparing is the task
// of package world.
package hook

// Package informers compares what sources have in force with what an API server
// holds, while that server does what API servers do in production: it restarts, it
// fails for minutes, it expires versions, it cuts lists and watches.
//
//	Server    a stand-in for an API server: lists, watches and bookmarks, in memory
//	Fault     how the server answers instead
//	Factory   an informer factory that knows what its handlers have been given
//	Subject   a source, by what it has in force: gatehouse's, or kube-apiserver's
//	Step      what happens next: a change, a fault, a restart, or nothing
//	Run       runs steps beside subjects that are asked all the time
//
// # The promise
//
// A request sees a state that the API server has had, and none that is older than
// what an informer had delivered before the request began. A list that fails does not
// empty a source. Before the first complete list a source is not ready. When the
// server answers again, every source has the server's state.
//
// Informers, reflectors and REST clients are client-go's, as a host has them, with
// streaming lists (its feature gate WatchListClient) and bookmarks. Connections are in
// memory, so that a run in a bubble of testing/synctest takes virtual minutes.
//
// # Limits
//
// The server knows the kinds of this package, and no selectors. Its lists and watches
// never go back to an older version than the one that a client knows, as an API
// server's do not.
package informers

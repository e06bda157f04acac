// Package source says where webhooks come from. Each of its sources is a
// dispatcher.Source.
//
//	Fixed      a list of configurations given by the program
//	Files      the same list, read from YAML and JSON files and checked
//	Store      the set behind them, for those who replace it while requests pass
//	Informers  the configurations of an API server, followed as they change
//
// On the way from configurations to a request's snapshot these steps are taken,
// in this order:
//
//	read      configurations are copied, or decoded if they come from files
//	default   what an API server would have filled in is filled in
//	validate  configurations from files are held to what an API server accepts
//	convert   v1beta1, which only files may have, becomes v1
//	sort      by configuration name, byte by byte; webhooks stay in list order
//	compile   what has changed since the last time, and nothing else
//	publish   one immutable snapshot replaces the one before
//
// The package also knows where the labels of namespaces come from:
// FixedNamespaces holds a list, ClusterNamespaces asks an API server's cache and,
// where that knows nothing, the server.
//
// # Concurrency
//
// Everything here is safe for concurrent use. A reader sees the state before a
// change or the state after it, never a mixture. It takes one atomic load and no
// lock, except that a reader of an Informed source who comes between the delivery
// of a change and its compilation waits for the latter: it may not see the state
// before. An Informed source has one goroutine, which compiles as soon as the
// informers have synced and after every change, and which Close ends; the others
// have none. Informers are never kept waiting.
//
// # Errors
//
// What cannot be read is an error when the source is made, never an empty list
// later. Such errors name every offender: the file, the document and the field,
// or the position in the list. Files are held to what an API server accepts when
// a configuration is created. Programs and API servers are not: they may hold what
// was accepted long ago. There a selector or matchCondition that does not compile
// fails when a request is matched against it.
//
// A source that knows nothing yet, because its informers have not synced or
// nobody has called Set, or that was closed before it did, gives
// dispatcher.ErrNotReady. One that was ready keeps what it knows when it is closed
// or when its informers stop. A panic while compiling is an error that names the
// configuration, for as long as that is in force.
//
// # What it does not do
//
// It does not watch files, which package static beneath it does for the manifests of
// a server, and it does not judge what programs and API servers
// give it.
package source

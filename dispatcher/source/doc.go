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
//	read      configurations are copied, and checked if they come from files
//	default   what an API server would have filled in is filled in
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
// or the position in the list. A webhook whose selector or matchCondition does
// not compile is no such error, because an API server may serve one: it fails
// when a request is matched against it.
//
// A source that knows nothing yet, because its informers have not synced or
// nobody has called Set, or that was closed before it did, gives
// dispatcher.ErrNotReady. One that was ready keeps what it knows when it is closed
// or when its informers stop. A panic while compiling is an error that names the
// configuration, for as long as that is in force.
//
// # What it does not do
//
// It does not watch files, and the checks on files are those
// without which a webhook could never work, not yet everything that an API
// server would refuse.
package source

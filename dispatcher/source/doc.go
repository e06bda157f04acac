// Package source says where webhooks come from. Each of its sources is a
// dispatcher.Source, and each of them ends in a Store.
//
//	Fixed   a list of configurations given by the program
//	Files   the same list, read from YAML and JSON files and checked
//	Store   the set behind them, for those who replace it while requests pass
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
// FixedNamespaces holds a list, LiveNamespaces asks again where a cache knows
// nothing.
//
// # Concurrency
//
// Everything here is safe for concurrent use. A reader takes one atomic load
// and never a lock, so neither compiling nor another reader makes it wait; it
// sees the state before a change or the state after it, never a mixture. The
// package starts no goroutines.
//
// # Errors
//
// What cannot be read is an error when the source is made, never an empty list
// later. Such errors name every offender: the file, the document and the field,
// or the position in the list. A webhook whose selector or matchCondition does
// not compile is no such error, because an API server may serve one: it fails
// when a request is matched against it.
//
// # What it does not do
//
// It does not watch files or an API server, and the checks on files are those
// without which a webhook could never work, not yet everything that an API
// server would refuse.
package source

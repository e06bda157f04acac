// Package source provides the webhooks of a dispatcher. Each of its sources is a
// dispatcher.Source.
//
//	Fixed      a list of configurations that the program passes
//	Files      a list of configurations, read from YAML and JSON files and validated
//	Store      a set of configurations that the program replaces while requests pass
//	Informers  the configurations of an API server, followed as they change
//
// A source turns configurations into a snapshot for requests in these steps, in this
// order:
//
//	read      copy configurations, or decode them if they come from files
//	default   apply the defaults of an API server
//	validate  check configurations from files as an API server does
//	convert   turn v1beta1, which only files may hold, into v1
//	sort      order configurations by name, byte by byte; webhooks keep their order
//	compile   compile the configurations that have changed, and no others
//	publish   replace the snapshot by a new, immutable one
//
// The package also provides the labels of namespaces: FixedNamespaces from a list,
// ClusterNamespaces from an informer's cache and, for namespaces that the cache does
// not have, from the API server.
//
// # Concurrency
//
// Everything in this package is safe for concurrent use. A reader sees the state
// before a change or the state after it, never a mixture. It takes one atomic load
// and no lock, with one exception: a reader of an Informed source waits if a change
// was delivered and is not compiled yet, because it must not see the state before the
// change. An Informed source has one goroutine, which compiles when the informers
// have synced and after every change, and which Close ends. Other sources have no
// goroutines. No source blocks an informer.
//
// # Errors
//
// A configuration that cannot be read is an error of the constructor, never an empty
// list later. The error names every offender: the file, the document and the field,
// or the position in the list. Files are validated as an API server validates new
// configurations. Configurations from programs and API servers are not validated,
// because an older API server may have accepted them. If such a configuration has a
// selector or matchCondition that does not compile, matching a request against it
// fails.
//
// A source returns dispatcher.ErrNotReady as long as its informers have not synced or
// Set has not been called, and for ever if it is closed before that. A source that
// was ready keeps its last snapshot when it is closed or when its informers stop. A
// panic while compiling is an error that names the configuration, for as long as that
// configuration is in force.
//
// # What it does not do
//
// It does not watch files; package static does that for the static manifests of a
// server. It does not validate configurations from programs and API servers.
package source

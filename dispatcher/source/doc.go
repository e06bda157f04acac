// Package source provides the webhooks of a dispatcher. Each of its sources is
// a dispatcher.Source.
//
//	Fixed      a list of configurations that the program passes
//	Files      a list of configurations, read from YAML and JSON files and validated
//	Store      a set of configurations that the program replaces while requests pass
//	Informers  the configurations of an API server, followed as they change
//
// A source sorts configurations by name, compiles those that have changed, and
// publishes a new, immutable snapshot. The package also provides the labels of
// namespaces.
//
// Everything in this package is safe for concurrent use. A reader gets the
// state before a change or the state after it, never a mixture. It takes one
// atomic load and no lock, with one exception: a reader of an Informed source
// waits if a change was delivered and is not compiled yet, because it must not
// get the state before the change. It waits no longer than its context.
//
// Files validates configurations as an API server validates new ones. The other
// sources do not validate configurations, because an older API server may have
// accepted them. If such a configuration has a
// selector or matchCondition that does not compile, matching a request against
// it fails.
//
// A source returns dispatcher.ErrNotReady as long as its informers have not
// synced or Set has not been called, always if it is closed before that, and to a
// reader whose context ends while it waits.
// A source that was ready keeps its last snapshot when it is closed or when its
// informers stop. If compiling a configuration panics, the source returns an
// error that names the configuration until that is changed or removed.
//
// Numbers such as R-020 and S-123 refer to docs/semantics.md.
package source

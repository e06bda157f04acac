// Package explain is the command `gatehouse explain`: it takes objects through the
// webhooks of a configuration, as `gatehouse run` does, and says of every webhook why it
// was or was not called, and of every field who wrote it.
//
// # Steps
//
//  1. Flags become session.Options, with everything traced, and a view: what of an
//     explanation is shown, and what is hidden.
//  2. Package simulation reads what the flags name. A webhook that there is not, or a
//     path that is none, is an error before anything is called.
//  3. Each visit is explained, and what was not asked for is left out.
//  4. A printer writes each explanation as a tree, or all of them as one document: JSON,
//     YAML, or the page of package internal/report.
//
// # A field that is not there
//
// Whether an object has a field may be up to the webhooks, so a path that leads nowhere
// is an answer and no error: a notice says so, with the paths that may have been meant,
// and the exit status is that of the admission.
//
// # Concurrency
//
// Requests are admitted one at a time; the package itself starts no goroutines.
//
// # Errors
//
// They are those of packages simulation and output. An unknown webhook is a mistake in
// the input, a path that cannot be read one on the command line.
//
// # What it does not do
//
// It finds nothing out: explanations are made by package dispatcher/explain, and hide
// there what must not be shown.
package explain

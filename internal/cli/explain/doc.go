// Package explain is the command `gatehouse explain`: it admits objects as
// `gatehouse run` does, and explains for every webhook why it was or was not
// called, and for every field who wrote it.
//
// Flags become session.Options with full tracing, and a view: which parts of an
// explanation are shown, and which are redacted. A printer writes each
// explanation as a tree, or all of them as one document: JSON, YAML, or the page
// of package internal/report.
//
// An unknown webhook is an input error, and a malformed path a usage error,
// both before the first call. The fields of an object may depend on the
// webhooks, so a path without a field is not an error: a notice suggests similar
// paths.
package explain

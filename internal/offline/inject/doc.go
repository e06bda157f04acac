// Package inject parses the values of --inject, which name faults or files with
// fault scripts.
//
//  1. Parse parses the values and looks up the faults that they name (Fault);
//  2. ReadScripts reads the files that they name.
//
// A value names a webhook, or has a pattern for several.
//
// Package session finds the webhooks of a value and replaces them; package
// faultserver implements faults.
//
// The package has no state and starts no goroutines. Errors use the names of
// the command line, and name the value or the file.
package inject

// Package run is the command `gatehouse run`: it admits objects through the
// webhooks of a configuration and prints the result.
//
// Flags become session.Options, package session reads the inputs and admits the
// requests, and a printer of package output prints each; -v and --report print
// more. It returns message.ErrDenied if a request was denied.
//
// Requests are admitted one at a time; the package starts no goroutines.
// Package session documents the limits of a simulation.
package run

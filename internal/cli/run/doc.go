// Package run is the command `gatehouse run`: it admits objects through the
// webhooks of a configuration and prints the result.
//
// Flags become session.Options, package session reads the inputs and admits the
// requests, and a printer of package output prints each; -v and --report print
// more. It returns message.ErrDenied if a request was denied.
//
// Package session admits several requests at a time and returns their results in
// order; a goroutine of its own shows the progress. Package session documents the
// limits of a simulation.
package run

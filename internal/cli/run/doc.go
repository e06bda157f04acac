// Package run is the command `gatehouse run`: it takes objects through the webhooks of a
// configuration and prints what came of it.
//
// Flags become session.Options, package session reads what they name and admits
// it, and a printer of package output shows each object; -v and --report have it print
// more. The answer is no if one of them was denied.
//
// Requests are admitted one at a time; the package itself starts no goroutines. Errors
// are those of these packages. What a simulation is not is said in package session.
package run

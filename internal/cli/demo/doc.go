// Package demo is the command `gatehouse demo`: it serves the webhooks of the
// quickstart on loopback, and shows their effects.
//
// It opens an environment: the server of the webhooks, and a temporary folder
// with the quickstart's files and the CA. With --serve it prints the command
// line for `gatehouse run` and waits for an interruption. Otherwise it admits
// the objects through package session, and prints each effect with its first
// occurrence. A missing effect is an error.
//
// The goroutines of the server end with the environment. Errors begin with
// "demo: ". All effects come from the records of the engine.
package demo

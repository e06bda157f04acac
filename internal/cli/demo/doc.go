// Package demo is the command `gatehouse demo`: it serves the webhooks of the quickstart
// on this machine, and shows in one screen what webhooks can do.
//
// A stand is opened: the server of the webhooks, and a temporary folder with the
// quickstart's files and the CA. Then, with --serve, the command line for `gatehouse
// run` is printed and the stand stays until it is interrupted. Otherwise the files go
// through package session, effects are looked for in what happened, and each is
// printed with where it was seen first. One that was not seen makes the answer no.
//
// The server has goroutines of its own, which end with the stand. Errors begin with
// "demo: ". Nothing here decides what the effects are like: all that is printed is what
// the engine reports.
package demo

// Package review is the command `gatehouse review`: it prints the review that a
// webhook would receive, and calls none.
//
// It takes the steps of `gatehouse run` with a client that records the reviews
// and admits them. So the output is exactly what the engine sends. The command
// returns message.ErrDenied if the webhook is not called for an object, with a
// notice that says why.
//
// The engine calls the client from several goroutines; everything else is one
// goroutine. An unknown webhook is an input error. No admission webhook is
// called, so none changes the objects for later ones.
package review

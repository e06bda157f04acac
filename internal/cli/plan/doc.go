// Package plan is the command `gatehouse plan`: it shows which webhooks an API server would
// call for a request, in which order, and why not the others. It calls none.
//
// It takes the steps of `gatehouse run` with a client that allows everything
// (session.AllowAll), so that the engine itself decides. Each explanation of
// package explain becomes an Item. Fault servers answer in place of webhooks
// with a fault, as in `gatehouse run`. The command returns message.ErrDenied if
// a request would be denied, which only a fault or the API server itself does.
//
// Requests are planned one at a time; the package starts no goroutines.
package plan

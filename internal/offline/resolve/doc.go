// Package resolve decides to where gatehouse connects when it calls a webhook.
//
// A Dialer connects to loopback addresses, to localhost and to the targets of
// its routes, and by Dialer.Forward to Services of a cluster. It connects to nothing
// else, and looks up no other name, unless Dialer.Anywhere is set; the error is a
// *NotReachedError.
//
// A Table has routes, which redirect connections as curl's --resolve does: to the
// port-forward of a webhook in the cluster, or to a webhook on the developer's
// machine. Parse reads routes. The Host header and the name that is
// verified in the certificate do not change. A route is one step: its target is
// not looked up again.
//
// A Table does not change after Parse. Tables and Dialers are safe for
// concurrent use.
package resolve

// Package resolve sends connections elsewhere than where they were meant for, as
// curl's --resolve does: the webhook in the cluster is called at its port-forward,
// or where its developer runs it.
//
// Parse reads routes, Table.To tells where one leads, Table.Dial follows it, and
// Table.Proxy keeps proxies from what is routed. What is called keeps its name:
// the Host header and the name that its certificate must have do not change.
//
// Routes are one step each: where one leads is not looked up again.
//
// A Table is read only once it is made, and safe for concurrent use then.
package resolve

// Package resolve redirects connections as curl's --resolve does: a webhook of
// the cluster is called through its port-forward, or where its developer runs
// it.
//
// Parse reads routes, Table.To returns the target of an address, Table.Dial
// connects to it, and Table.Proxy bypasses proxies for routed addresses. The
// Host header and the name that is verified in the certificate do not change.
//
// A route is one step: its target is not looked up again.
//
// A Table does not change after Parse and is safe for concurrent use.
package resolve

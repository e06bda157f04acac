// Package production compares gatehouse with kube-apiserver's own plugins while
// what surrounds a webhook changes: its pods roll, credentials and certificates
// are renewed, and a proxy is between both. It also compares what client-go's metrics
// of requests say. It has tests only.
//
// Where upstream's client needs no clock of its own, the tests run in virtual
// time, over connections in memory.
package production

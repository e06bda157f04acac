// Package outage is the command `gatehouse outage`: it says what happens to the
// requests that a cluster depends on while the backends of webhooks are down, and which
// backends do not come up again after all were down.
//
//	outage.go    the flags, and the steps
//	document.go  Report: the result, as JSON prints it
//	text.go      the result as text
//	html.go      the page, and its data
//	page.go      making the data
//
// Package internal/lint/outage has the outcomes. The command calls no webhook and makes
// no connections. It returns no error for what it finds: that is what lint is for.
package outage

// Package audit has the command audit, which says what the audit logs of API servers tell
// about webhooks: what they changed, what failed open, and which components undo each other's
// changes.
//
//	audit.go       the command: flags, exit status
//	document.go    the report as a document, and what the log does not show
//	text.go        the report as text
//	html.go        the report as a page
//	page.go        the loops of the page
//	object.go      --object: what happened to one object
//	objectpage.go  the same as a page
//	memory.go      the bound of the memory
//
// The packages below internal/auditlog read the logs and count.
package audit

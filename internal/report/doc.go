// Package report renders explanations as an HTML page: one file that contains
// its styles, its script and its data and makes no requests, so that it can be
// mailed, attached to a build and opened years later.
//
//	err := report.Write(file, &explain.Document{Items: items})
//
// # Steps
//
//  1. The document becomes JSON in which "<", ">", "&" and U+2028 are escaped,
//     so that it cannot end the element that holds it.
//  2. The files of assets/script are joined in the order of their dependencies,
//     and the styles are read.
//  3. A Content-Security-Policy allows this script and these styles, by their
//     SHA-256, and nothing else: no other script or style, no image, no
//     request, and with Trusted Types no markup from strings.
//  4. A summary for browsers without scripts is rendered; the script renders
//     the rest.
//
// # The page
//
// The script shows one explanation at a time, and an overview first if there
// are several. It renders the content of links, folds and "show more" on
// demand, so that 20 requests of 200 webhooks each stay fast. It inserts
// everything from the document as text. The fragment of the URL selects what is
// shown: #item-3 is the third request, #item-3/call-2 its second call in the
// order of the page, and #item-3/skip-5 the fifth webhook that was not called.
// The printed page has the shown content, followed by the details of all calls.
//
// # The requests of a server
//
// WriteRequests writes another page, which lists the requests that a server
// keeps, and follows the list. It has no data: its script gets the list from the server
// of the page, and its policy allows no other requests.
//
// # Outages, findings, changes and audit logs
//
// WriteOutage, WriteLint, WriteDiff and WriteAudit write pages in the same style, with the same
// escapes and policy, from data that the commands make. The page of outages shows a matrix, and the
// explanation of a cell in a dialog: #node-lease-renew/0/hangs is a request while the first
// backend hangs, and #pair-2 the second pair. The page of findings links to the sources of
// rules, and #finding-3 is the third finding. On the page of changes #cause-3 is the third
// cause, and on that of audit logs #loop-3 the third loop.
//
// # Concurrency
//
// Write shares no state.
//
// # Errors
//
// Write returns the writer's error, or an error if a part of the document is
// not JSON, which does not happen with explanations that package explain made.
// The script shows an error in place of a part that it cannot render.
//
// # What it does not do
//
// It redacts nothing: the document must be redacted before. It derives nothing
// from the records but sums and orders.
package report

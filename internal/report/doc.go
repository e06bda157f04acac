// Package report makes a page for browsers of explanations: one file that holds its
// styles, its script and its data, asks the network for nothing, and can be mailed,
// attached to a build or opened ten years from now.
//
//	err := report.Write(file, &explain.Document{Items: items})
//
// # Steps
//
//  1. The document becomes JSON, in which no "<", ">" or "&" and no U+2028 is left
//     unescaped, so that nothing in it can end the element that holds it.
//  2. The script of assets/script is put together in the order in which its files build
//     on each other, and the styles are read.
//  3. A Content-Security-Policy allows exactly these two, by their SHA-256, and forbids
//     everything else: no other script, no style, no image, no request, and with
//     Trusted Types no way to make markup of a string.
//  4. A summary for browsers without scripts is rendered; all else is up to the script.
//
// # The page
//
// The script shows one explanation at a time, and an overview first if there are
// several. What is behind a link, a fold or a "show more" is rendered when it is asked
// for, so that 20 requests of 200 webhooks each stay quick. Everything that comes from
// the document is put into the page as text. The address says what is being looked at:
// #item-3 is the third request, #item-3/call-2 the second call that it led to, in the
// order in which the page lists them, and #item-3/skip-5 the fifth webhook that was not
// called. What is printed is what is shown, with the details of all calls after it.
//
// # Concurrency
//
// Write shares nothing.
//
// # Errors
//
// An error is the writer's, or that a part of the document is not JSON, which cannot
// happen to explanations that package admission has made. The page itself never fails
// as a whole: a part that cannot be shown says so in its place.
//
// # What it does not do
//
// It hides nothing: what may not be seen must not be in the document. It computes
// nothing of its own about the dispatch, except sums and orders.
package report

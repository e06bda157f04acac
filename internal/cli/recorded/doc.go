// Package recorded has the flags of the commands that admit the requests of a corpus:
// where the answers of webhooks and the labels of namespaces are from, and what becomes of
// lines that are not readable.
package recorded

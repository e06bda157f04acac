// Package kubeconfig keeps a file with a kubeconfig that is there for as long as its
// server is.
//
// Open finds out what could be in the way, prepares a draft and removes what an earlier
// server has left behind; Publish puts the file in its place in one piece, and Close
// removes it. Files of others are never touched.
//
// A File belongs to one goroutine. Errors name the file, and the flag that it comes
// from. What is in a kubeconfig is for the server to say.
package kubeconfig

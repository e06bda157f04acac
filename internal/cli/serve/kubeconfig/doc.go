// Package kubeconfig keeps a file with a kubeconfig that is there for as long as its
// server is.
//
// Open finds out what could be in the way and prepares a draft, Publish puts the file
// in its place in one piece, and Close removes it. Files of earlier servers are replaced,
// files of others never are.
//
// A File belongs to one goroutine. Errors name the file, and the flag that it comes
// from. What is in a kubeconfig is for the server to say.
package kubeconfig

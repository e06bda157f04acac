// Package apiserver is the command gatehouse-apiserver, which `gatehouse serve`
// starts: it runs an API server (package internal/apiserver) until it is
// interrupted. It starts the server, applies the objects of -f (package
// install), and then writes the kubeconfig (package kubeconfig), so that scripts
// can wait for the file.
//
// From the start of the server the command is draining (command.Draining): after
// an interrupt the process waits until it has cleaned up. With --log-level the log
// of the whole process is written to standard error.
//
// No other command links an API server. The tests here are of errors; those of
// running servers are in test/apiserver and test/internal/serve.
package apiserver

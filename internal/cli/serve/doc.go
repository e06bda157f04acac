// Package serve is the command `gatehouse serve`: it runs an API server (package
// apiserver) until it is interrupted. It starts the server, applies the objects
// of -f (package install), and then writes the kubeconfig (package kubeconfig),
// so that scripts can wait for the file.
//
// From the start of the server the command is draining (command.Draining): after
// an interrupt the process waits until it has cleaned up. With -v the log of the
// whole process is written to standard error.
//
// Only this package and package cli link an API server. So this package has no
// tests: tests of its errors are in package cli, and those of running servers
// in test/apiserver and test/internal/serve.
package serve

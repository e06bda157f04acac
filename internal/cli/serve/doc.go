// Package serve is the command `gatehouse serve`: it runs an API server (package
// apiserver) for as long as it is not interrupted.
//
//  1. the files of the command line are read and checked, and a place for the kubeconfig
//     is prepared (package kubeconfig);
//  2. the server is started;
//  3. the objects of -f are put in (package install);
//  4. the kubeconfig is written; its appearance says that all is there;
//  5. after an interruption requests may finish, and the kubeconfig is removed.
//
// From the end of step 1 on the command is draining: it is waited for, however long it
// takes to put things in order.
//
// The goroutines are those of the server. With -v the log of the whole process is
// written to standard error. What keeps a server from starting is a mistake in the
// input, and so is an object that it refuses.
//
// This package and package cli are the only parts of the command that link an API
// server. So it has no tests of its own: those of its mistakes are in package cli, and
// those of servers that start in test/apiserver and test/internal/serve.
package serve

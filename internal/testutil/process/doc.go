// Package process runs `gatehouse serve` for tests as its users have it: the built
// command, in a process of its own, reached by client-go over HTTPS.
//
// Build builds the command, and Run does so once for a package of tests. Start starts it
// with the arguments of a test and ends it with the test; Config returns how it is
// reached as soon as its kubeconfig is there, which is when it is ready; Stop asks it to
// end, as SIGTERM does, and returns its exit status. Signal and Wait are for those that
// end in another way.
//
// Concurrency: there may be any number of processes at the same time. The functions
// are for the goroutine of the test.
//
// Errors end the test, and say what the command has printed.
//
// What it does not do: it links nothing of the server, so that tests which use it are
// quick to build.
package process

// Package process runs `gatehouse serve` for tests as users run it: the built
// command, in a separate process, reached by client-go over HTTPS.
//
// Build builds the command; Run does so once for a package of tests. Start
// starts it with the arguments of a test and ends it with the test. Config
// returns the client configuration as soon as the kubeconfig exists, which is
// when the server is ready. Stop sends SIGTERM and returns the exit status.
// Signal and Wait are for tests that end the process in another way.
//
// Concurrency: there may be any number of processes. Call the functions from
// the goroutine of the test.
//
// Errors fail the test and print the output of the command.
//
// The package links nothing of the server, so that tests which use it build
// quickly.
package process

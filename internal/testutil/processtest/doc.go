// Package processtest tells tests whether processes that were to be stopped still run.
//
// It is for tests alone, keeps nothing, and starts no goroutines. It stops nobody, and does
// not wait: whoever expects an end asks until it has come.
package processtest

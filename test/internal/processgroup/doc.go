// Package processgroup runs a command in a process group of its own, so that it ends
// together with all that it has started: go test, the program that it tests, and that
// program's children. It is for commands that run tests.
package processgroup

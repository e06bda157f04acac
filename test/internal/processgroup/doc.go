// Package processgroup runs a command in its own process group, so that the
// command and all its descendants can be ended together: go test, the test
// binary, and the binary's children. It is for commands that run tests.
package processgroup

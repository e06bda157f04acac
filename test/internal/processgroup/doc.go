// Package processgroup runs a command in its own process group, so that the
// command and all its descendants can be ended together: go test, the test
// binary, and the binary's children. It is for commands that run tests.
package processgroup

import "time"

// Patience is the time that a command has to end after an interrupt.
const Patience = 20 * time.Second

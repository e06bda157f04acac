// Package command is what the commands of gatehouse share about the terminal that they run
// on: whether standard output is one (IsTerminal), and how a command that is interrupted
// gets the time to end by itself (AllowDraining, Draining).
//
// The package has no state, and its functions are safe for concurrent use.
package command

// Package command is what the commands of gatehouse share: how they write their output
// (Write, and Indented and YAML for programs), whether standard output is a terminal
// (IsTerminal), and how a command that is interrupted gets the time to end by itself
// (AllowDraining, Draining).
//
// The package has no state, and its functions are safe for concurrent use.
package command

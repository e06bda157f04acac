// Package command is shared by the commands of gatehouse: it writes their
// output (Write, and Indented and YAML for programs), detects terminals
// (IsTerminal), checks arguments (Inputs), and lets an interrupted command
// finish its work (AllowDraining, Draining).
//
// The package has no state, and its functions are safe for concurrent use.
package command

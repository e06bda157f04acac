// Package command is shared by the commands of gatehouse: it writes their
// output (Write, and Indented and YAML for programs), detects terminals
// (IsTerminal) and colours text for them (Colors), checks arguments (Inputs,
// NoCommand), lets an interrupted command finish its work (AllowDraining,
// Draining, HoldSignals), and catches signals (CatchSignals, StopCatching).
//
// The package has no state, and its functions are safe for concurrent use.
package command

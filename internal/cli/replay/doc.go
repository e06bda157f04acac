// Package replay is the command `gatehouse replay`. Package internal/replay admits
// the requests, and package results writes the files.
package replay

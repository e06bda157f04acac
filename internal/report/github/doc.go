// Package github writes workflow commands, with which GitHub shows messages beside the
// lines of files.
//
//	annotation.go  Annotation: the command for one message
//	inert.go       Inert: a line that the runner does not take for a command
//
// Paths become relative to GITHUB_WORKSPACE, the root of the repository; outside of a
// workflow to the working directory. The package has no other state.
package github

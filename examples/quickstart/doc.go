// Package quickstart holds the files of the quickstart, so that the command can
// run it from wherever it is started.
package quickstart

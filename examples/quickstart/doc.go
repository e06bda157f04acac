// Package quickstart embeds the files of the quickstart, so that the command
// can run it from any directory.
package quickstart

// Package lifecycle has the checks of a webhook's process: how it starts, how it
// ends after SIGTERM, and how it bears renewal, replacement and load. It starts
// the webhook by a command.
//
//	exec.go      the command, and the first process, which all other checks use
//	instance.go  a further process, for one check
//	reviews.go   the reviews that are asked, with their right answers
//	start.go     C-START
//	drain.go     C-DRAIN
//	idle.go      C-KEEPALIVE
//	renew.go     C-RENEW
//	roll.go      C-ROLL, with the calls in traffic.go
//	load.go      C-LOAD
//	memory.go    C-MEMORY
//	service.go   a switch for connections, which plays a Service and limits requests
//
// The checks do not measure how fast a webhook is: they go by connections that
// are made, refused, kept and closed, and by answers. A limit only says how long
// they wait for one of these.
//
// A webhook with one fault fails one check. So a process that starts before it
// is ready gets the time to become so in all checks but C-START.
//
// No goroutine, connection or process outlives a check, but for the first
// process, which runs until Close.
package lifecycle

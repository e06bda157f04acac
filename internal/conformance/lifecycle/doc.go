// Package lifecycle checks the process of a webhook: how it starts, how it ends
// after SIGTERM, and how it handles a renewed certificate, replacement and
// load. It starts the webhook with a command.
//
//	exec.go      the command, and the first process, which all other checks use
//	instance.go  a further process, for one check
//	reviews.go   the reviews that the checks send, with their correct answers
//	start.go     C-START
//	drain.go     C-DRAIN
//	idle.go      C-KEEPALIVE
//	renew.go     C-RENEW
//	roll.go      C-ROLL, with the calls in traffic.go
//	load.go      C-LOAD
//	memory.go    C-MEMORY
//	service.go   a proxy that simulates a Service and limits requests
//
// The checks do not measure the speed of a webhook. They examine responses, and
// whether the process accepts, rejects, keeps or closes connections. A time limit
// only bounds how long they wait for these.
//
// A webhook with one fault fails one check. Therefore all checks except C-START
// wait until the process is ready.
//
// No goroutine, connection or process outlives a check, except the first
// process, which runs until Close.
package lifecycle

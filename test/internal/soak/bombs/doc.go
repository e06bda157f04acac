// Package bombs has webhooks answer with what would cost a client without limits
// all of its memory: bodies without end, compressed ones, deep ones, headers and
// interim responses by the million, patches that multiply. All of them at the same
// time, with many callers, in a process that has little memory.
//
//	bomb     a fault of test/faultserver and how its calls may end
//	Serve    the other process, in which the fault servers are, so that what they
//	         need does not count
//	Run      callers that go through all bombs, in both phases, again and again
//
// The process is to be started with GOMEMLIMIT=256MiB; Run says if it has no limit.
// Run starts the program that it is in once more as the other process. Its main
// function therefore begins with Serve:
//
//	if served, err := bombs.Serve(os.Stdin, os.Stdout); served { … }
//
// A call has to end in the error that its own bomb leads to. There are two others
// that it may end in: that all bodies together are too large (Limits.Budget), and
// that its time is up; both have to name its webhook.
//
// Concurrency: Run looks at the memory of the whole process, so nothing else should
// go on in it.
//
// Errors: an error says that the run could not begin. What goes wrong in it is in
// the Result.
//
// What it does not do: limit memory, or judge how much there is at most. A limit on
// the process, such as a container has, would end it.
package bombs

// Package program runs the programs of this module, gatehouse and
// gatehouse-apiserver: it connects a root command with the process, reports its
// error, and returns its exit status.
//
// # Exit status
//
//	0    everything was admitted or passed, or a ready server was interrupted
//	1    a request was denied, a configuration is invalid, a webhook fails a must, a
//	     case of a suite fails, or a webhook is not called (review)
//	2    the command line or the input is wrong, a webhook could not be checked, or
//	     webhooks or a server do not start
//	3    gatehouse itself failed, for example to write its output
//	4    nothing was denied, but a webhook was not reached, because gatehouse connects
//	     to other machines only with --connect-anywhere: the answer is not known
//	130  interrupted
//
// # Concurrency
//
// A command runs on its own goroutine, so that the program can react to an
// interruption at any time. It waits only briefly for an interrupted command,
// except for one that is draining (command.Draining). Main silences klog for the
// whole process, unless the command logs, and is meant to be called once. Run
// may be called at any time.
//
// Errors go to standard error, one per line, after "gatehouse: ". They name a
// document by file, number and line.
package program

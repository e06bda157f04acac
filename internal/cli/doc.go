// Package cli is the command gatehouse. It combines the commands, runs one, and
// returns its exit status. The scripts in testdata test all of them.
//
// Each command has a package with its flags, its help and its implementation,
// which exports only New. No command imports another. They share packages
// output and command, and internal/offline.
//
// # Exit status
//
//	0    everything was admitted or passed, or a ready server was interrupted
//	1    a request was denied, a configuration is invalid, a webhook fails a must, a
//	     case of a suite fails, or a webhook is not called (review)
//	2    the command line or the input is wrong, a webhook could not be checked, or
//	     webhooks or a server do not start
//	3    gatehouse itself failed, for example to write its output
//	130  interrupted
//
// # Concurrency
//
// A command runs on its own goroutine, so that gatehouse can react to an
// interruption at any time. It waits only briefly for an interrupted command,
// except for one that is draining: serve, which finishes requests and removes
// its files, and test, which stops webhooks. Main silences klog for the whole
// process, unless serve logs, and is meant to be called once.
//
// Errors go to standard error, one per line, after "gatehouse: ". They name a
// document by file, number and line.
package cli

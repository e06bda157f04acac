// Package cli is the command gatehouse. It puts the commands together, runs the one that
// is asked for, and makes an exit status of how that ends. The scripts in testdata test
// all of them.
//
// Each command has a package, which holds its flags, its help and what it does, and
// gives nothing away but New. No command imports another. Below them is what several
// of them need, from top to bottom, each importing only what comes after it:
//
//	output         printers, and in words why a webhook was not called
//	simulation     from options to requests, their way through the webhooks, visits
//	inputs         what files hold, sorted by what it is good for
//	configuration  webhook configurations as documents
//	inject         the names and scripts of faults
//	flags          what flags mean that several commands have
//	command        how commands end and how they speak
//
// Only serve, and so this package, links an API server. It takes a while to link one,
// and tests of the other packages need not.
//
// # Exit status
//
//	0    everything was admitted or passed, or a server was interrupted that had been ready
//	1    something was denied or is not valid, a webhook whose review was asked for is
//	     not called or does what it must not, a case of a suite did not pass, or the demo
//	     did not show what it should
//	2    the command line or the input is wrong, or an object in it cannot be converted;
//	     no admission webhook was called. Or conformance could not look at a webhook, or
//	     the webhooks of a suite do not start. Or a server does not start, or does not
//	     take an object
//	3    gatehouse itself failed, for example to write its output
//	130  interrupted
//
// # Concurrency
//
// A command runs in a goroutine of its own, so that an interruption is heeded whatever
// it is waiting for. An interrupted command is not waited for longer than a moment,
// except one that is draining: serve, which lets requests finish and removes its files,
// and test, which stops webhooks. Main silences klog for the whole process, unless serve
// is to log, and is meant to be called once.
//
// # Errors
//
// An error is printed on standard error, one line each, after "gatehouse: ". A
// document is named with its file, number and line. Notices, which do not change
// the exit status, look the same.
//
// # What it does not do
//
// It knows nothing of admission. Except for serve, no command talks to an API server.
package cli

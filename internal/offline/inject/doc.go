// Package inject reads what people write about faults: names of faults, scripts of
// their own, and both in the values of --inject.
//
//  1. Parse reads the values, and looks up the faults that they name (Fault);
//  2. ReadScripts completes those that name a file.
//
// Which webhooks a value is meant for, and how faults come in their place, is for
// package session; what faults do is for package faultserver.
//
// The package keeps nothing and starts no goroutines. Errors are in the words of the
// command line, and name the value or the file.
package inject

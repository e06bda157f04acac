// Package faults is the command `gatehouse faults`: it lists the faults that --inject
// knows by name, or prints the script of one for people to change.
//
// What is printed of a fault is what --inject reads from a file, and means the same.
//
// The package keeps nothing, starts no goroutines and opens no file. An unknown name
// is a mistake on the command line. What faults do is for package faultserver.
package faults

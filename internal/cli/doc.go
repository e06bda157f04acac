// Package cli is the command gatehouse. It combines the commands; package program
// runs one and returns its exit status. The scripts in testdata test all of them.
//
// Each command has a package with its flags, its help and its implementation,
// which exports only New. No command imports another. They share packages
// output and command, and internal/offline.
//
// Package apiserver is the command gatehouse-apiserver, a program of its own that
// `gatehouse serve` starts.
package cli

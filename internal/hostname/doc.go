// Package hostname normalizes the names of hosts for comparison, and tells
// numbers and this machine from other hosts. All packages that compare hosts
// call it: if two names were taken for one although net/http connects to
// different servers for them, a server could receive what is meant for another.
//
// # Concurrency
//
// The package keeps nothing; its functions may be called from anywhere.
package hostname

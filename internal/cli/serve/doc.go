// Package serve is the command `gatehouse serve`: it checks the flags (package
// options), and runs the program gatehouse-apiserver with them, in place of this
// process where the system allows that. Half of the time that it takes to
// compile both programs, and of their size, is the API server's: gatehouse does
// not link it, so that the other commands are there sooner.
//
// The server is the one beside gatehouse, or else in the PATH, and must have
// the version of gatehouse.
package serve

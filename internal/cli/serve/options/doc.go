// Package options has the flags and the help of `gatehouse serve`, and of
// gatehouse-apiserver, which it starts with the same flags.
//
// The package has no state. It opens no files.
package options

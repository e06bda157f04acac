// Package response compares how the two sides read what a webhook has answered: with any
// bytes, by fuzzing. It holds nothing but that test.
//
// It is a package of its own because a fuzzer's every step costs as much as the code that
// is linked is large, and package parity links whole API servers.
package response

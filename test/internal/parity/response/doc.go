// Package response fuzzes how the two sides decode a webhook's response. It has
// only that test.
//
// The test has its own package because the cost of a fuzzing step grows with
// the size of the binary, and package parity links whole API servers.
package response

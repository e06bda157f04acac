// Package suitetest has a small suite for tests of commands that run suites.
// The suite calls no webhook and needs no network.
//
// File writes the suite, and Load also reads it. An error fails the test. The
// package is for tests only and has no state.
//
// Tests that depend on positions in a suite write their own text.
package suitetest

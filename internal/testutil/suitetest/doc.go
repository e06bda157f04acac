// Package suitetest has a small suite for tests of what is done with suites and what came of
// them. No webhook is called when it runs, so it needs none, and no network.
//
// File writes the suite, and Load reads it as well. What goes wrong is a failure of the test.
// The package is for tests alone, keeps nothing, and starts no goroutines.
//
// It is not for tests of where things stand in a suite: these show the text.
package suitetest

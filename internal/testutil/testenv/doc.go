// Package testenv is for tests that lack something on the machine that they run on, such as
// a program. They are skipped, and a skipped test looks much like one that has passed; so
// with GATEHOUSE_CI=1 they fail.
//
//	Missing    it has to be there in CI
//	Optional   it need not be there in CI either
//
// Each test that is skipped adds a line to the file that GATEHOUSE_SKIPPED names, if it is
// set: .ci/run prints the lines at its end. Skips that depend on a test's input, as in fuzz
// targets, are testing's own.
package testenv

// Package testenv skips tests that need something which the machine lacks, such
// as a program. A skipped test looks much like one that passed, so with
// GATEHOUSE_CI=1 they fail.
//
//	Missing    it must exist in CI
//	Optional   it may be missing in CI too
//
// Each skipped test adds a line to the file that GATEHOUSE_SKIPPED names, if it
// is set; .ci/run prints the lines at its end. Skips that depend on a test's
// input, as in fuzz targets, use testing's own Skip.
package testenv

// Package mutants lists faults that the comparison with kube-apiserver cannot
// detect or detects only in part. The tests of their packages must detect them:
// make mutants.
//
// The tests of an area are built once, with an overlay of the sources that has
// all faults, inactive. The tests must pass with no fault active, and fail with
// each one active. A run that has to be stopped does not count as a detection,
// because a test that hangs does not show the mistake.
//
// A surviving mutant shows an untested behaviour. Package
// test/internal/parity/mutant has the faults that the comparison must detect.
package mutants

// Package mutants lists faults that the comparison with kube-apiserver cannot see, or not
// all of it, and has the tests of the packages concerned find them: make mutants.
//
// The tests of an area are built once, over copies of the sources with all faults in them,
// asleep. They must pass with none awake, and fail with any one of them. A run that goes on
// until it is stopped shows nothing: a test that hangs says neither what is wrong nor where.
//
// A mutant that survives shows what is not tested. Package test/internal/parity/mutant has the faults
// that the comparison has to find.
package mutants

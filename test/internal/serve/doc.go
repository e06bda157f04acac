// Package serve tests `gatehouse serve` as users run it: the built command in a
// separate process, used by client-go and by kubectl over HTTPS. It has only
// tests; package internal/testutil/process runs the command for them.
//
// The scripts in testdata/kubectl test kubectl. They run with the kubectl in
// the PATH and with the one that .ci/kubectl-old puts into bin, if these exist.
// The scripts in testdata/habits are what users of kubectl do every day; they run
// with the kubectl in the PATH.
package serve

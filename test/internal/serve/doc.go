// Package serve tests `gatehouse serve` as its users have it: the built command in a
// process of its own, used by client-go and by kubectl over HTTPS. It has tests only;
// package process, below it, runs the command for them.
//
// What kubectl does is in the scripts of testdata/kubectl. They run with the kubectl in
// the PATH, and with the one that .ci/kubectl-old puts into bin, if these are there.
package serve

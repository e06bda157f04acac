// Package spelling compares words that people have typed with those that they may have
// meant.
//
// It has no state, and no errors. Words are compared byte by byte: names in Kubernetes
// are ASCII.
package spelling

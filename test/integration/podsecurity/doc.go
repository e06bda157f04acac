// Package podsecurity runs the tests of Pod Security admission, package test of
// k8s.io/pod-security-admission, with its own webhook against `gatehouse serve`.
// It is a Go module of its own, because gatehouse does not require that module.
package podsecurity

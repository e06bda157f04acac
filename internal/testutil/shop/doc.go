// Package shop is a project for the tests of servers to try out: orders, a kind of its
// own, with one mutating and one validating webhook. Its crd.yaml and manifests.yaml
// are as controller-gen writes them.
//
// Concurrency: what the functions return may be shared.
//
// Errors: a webhook that is sent something else than a review answers with 400.
package shop

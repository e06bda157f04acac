// Package shop is an example project for tests of servers: the custom kind
// Order, with one mutating and one validating webhook. Its crd.yaml and
// manifests.yaml have the form that controller-gen writes.
//
// The results of the functions may be shared. A webhook that receives something
// else than a review responds with 400.
package shop

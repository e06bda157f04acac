// Package policies compares package dispatcher/policy with kube-apiserver's
// plugins MutatingAdmissionPolicy and ValidatingAdmissionPolicy.
//
// A world is a cluster with drawn policies, bindings, params and namespaces. The
// tests run drawn requests through both, in a chain that runs a second round
// when a policy asks for it, and compare errors, objects, audit annotations,
// warnings, metrics and the number of rounds. kube-apiserver evaluates policies
// in a random order; its result must be that of one order of ours.
package policies

// Package policies compares gatehouse's whole chain with that of kube-apiserver:
// the plugins MutatingAdmissionPolicy, MutatingAdmissionWebhook,
// ValidatingAdmissionPolicy and ValidatingAdmissionWebhook.
//
// A world is a cluster with drawn policies, bindings, params, namespaces and
// webhooks. The tests run drawn requests through both sides, each in a chain of
// apiserver's own code that runs a second round, and compare errors, objects,
// audit annotations, warnings, metrics, the number of rounds, and what webhooks
// received. kube-apiserver evaluates policies in a random order. The comparison
// reads it and has gatehouse evaluate them in the same order.
//
// Scenarios that are written by hand are in testdata; see Written.
package policies

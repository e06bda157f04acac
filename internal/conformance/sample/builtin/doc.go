// Package builtin makes objects of built-in kinds that an API server takes.
//
// # Steps
//
//  1. Fill walks the Go type of the object. What JSON may leave out is left out, but for
//     specs; everything else gets a small value.
//  2. What the type does not tell is in a table of hints, by Go type: that a container
//     has an image, that the labels of a template are those that the selector wants, that
//     a Service has ports. Parts come before the whole, which has the last word.
//
// The common kinds then pass the validation of kube-apiserver: Pod and the kinds that make
// pods, ConfigMap, Secret, Service, ServiceAccount, Namespace, Ingress, NetworkPolicy,
// PersistentVolume and its claim, PodDisruptionBudget, HorizontalPodAutoscaler, those of
// RBAC and others. Of the rest, and of versions of the past, it may not be all there, but
// it is always something that decodes.
//
// # Concurrency
//
// There is no state. Objects belong to the caller.
//
// # Errors
//
// There are none. A Go type that no API has panics: a test makes all kinds that there are.
//
// # What it does not do
//
// It sets neither metadata, but for names that have to be of a form, nor defaults.
package builtin

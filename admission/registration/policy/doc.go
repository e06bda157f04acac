// Package policy decodes, defaults, validates and converts admission policies
// and their bindings as an API server does before it stores them. The kinds are
// ValidatingAdmissionPolicy, MutatingAdmissionPolicy and a binding of each.
// Embedders that read them from elsewhere call its functions in this order:
//
//	Decode          decodes an object of v1, v1beta1 or v1alpha1
//	Default         sets absent fields
//	Validate        returns all errors of a create
//	ValidateUpdate  returns all errors of an update
//	Warnings        returns the warnings of a write
//	Convert         converts to v1, which kube-apiserver's plugins take
//
// The plugins of kube-apiserver apply no defaults and do not validate. If a
// policy skips these functions, a mistake in it shows only when a request
// arrives. For the manifests of an API server use ValidateStatic instead of
// Validate, and CheckManifest after it.
//
// kube-apiserver v1.37 serves all kinds in v1, and MutatingAdmissionPolicy and
// its binding in v1beta1 and v1alpha1 too. It has not served
// ValidatingAdmissionPolicy in v1beta1 since v1.34 and in v1alpha1 since v1.32,
// but still knows these versions; this package takes them with the rules of
// v1.37.
//
// Each rule has one implementation, for v1: the other versions have the same
// fields and are converted first. The package shares the rules that also apply
// to webhook configurations with package registration. Package cel compiles the
// expressions with the variables and types that kube-apiserver declares for
// them.
//
// The functions have no state and are safe for concurrent use with different
// objects. Default modifies its argument; the others do not. Errors have
// kube-apiserver's fields, values, texts and order, and validation returns all
// of them. The order is random where kube-apiserver iterates over a map, as for
// matchLabels. No input makes a function panic.
//
// The comments name the functions of kube-apiserver v1.37.2 in package
// k8s.io/kubernetes/pkg/apis/admissionregistration/validation, from which the
// rules are. Numbers such as R-020 refer to docs/semantics.md.
package policy

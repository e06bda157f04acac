// Package toys is the internal version of the API group toys.example.com, with
// one kind, Robot. Clients use the packages v1 and v1alpha1; package install
// adds all of them to a scheme.
//
//	types.go       the kind
//	register.go    the group, and helpers for conversions
//	deepcopy.go    copies
//
// The package has no defaults, because they belong to versions, and no
// generated code, because hand-written copies of one small kind are shorter
// than the generator's configuration. A larger group should use deepcopy-gen
// and conversion-gen of k8s.io/code-generator.
package toys

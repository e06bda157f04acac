// Package fields has the rules of the fields that webhook configurations and
// admission policies share: metadata, rules, matchConditions and enumerations.
// It also has what both need to set defaults and to convert versions.
//
// A rule returns errors with kube-apiserver's fields, values, texts and order.
// The callers are packages registration and policy, which decide which rules
// apply to a write. The package has no state, and no input makes it panic.
//
// Numbers such as R-020 refer to docs/semantics.md.
package fields

// Package policies evaluates the admission policies among the inputs of a
// command. Parse reads policies and bindings as an API server does before it
// stores them, and New returns an evaluator of package dispatcher/policy for
// them, their params and the namespaces of the inputs.
//
// Params are the objects among the inputs whose kind a policy names in paramKind,
// in this version. They do not change.
package policies

// Package condition compiles the CEL expressions of matchConditions.
//
// The environment is kube-apiserver's own: the variables object, oldObject,
// request, namespaceObject, authorizer and authorizer.requestResource, and the
// libraries of the version that gatehouse is built with (S-140…S-145). What the
// environment does with an expression is the business of apiserver's CEL
// packages; what a program's result means is the business of package matching.
// This package sits below both matching and registration so that an expression
// means the same when it is written and when it is evaluated.
//
// Compiling is slow (hundreds of microseconds) and happens when a configuration
// changes, never on a request. An expression that does not compile is a value
// like any other here: the error is kept and surfaces when the condition is
// evaluated, as kube-apiserver has it (S-147).
//
// A Compiler is safe for concurrent use.
package condition

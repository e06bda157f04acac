// Package cel compiles the CEL expressions of matchConditions.
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
// evaluated, as kube-apiserver has it (S-147). Check is the stricter question,
// whether an API server would take the expression when somebody writes it; it
// compiles in the same environment and keeps nothing.
//
// Most conditions compare a few fields with constants. Such a Program has a Plain
// form besides, which looks the fields up itself, once per request for all
// conditions, and leaves everything that is not as usual to cel-go.
//
// A Compiler is safe for concurrent use, and so are Check and a Plain; Fields are
// not.
package cel

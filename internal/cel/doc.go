// Package cel compiles the CEL expressions of matchConditions, and checks those
// of admission policies.
//
// The environment is kube-apiserver's: the variables object, oldObject,
// request, namespaceObject, authorizer and authorizer.requestResource, and the
// libraries of the version that gatehouse is built with (S-140…S-145).
// apiserver's CEL packages evaluate expressions, and package matching
// interprets the results. Packages matching and registration share this
// package, so that an expression means the same when it is written and when it
// is evaluated.
//
// Compiling is slow (hundreds of microseconds). It happens once for each change of a
// configuration, not for each request; a request that arrives meanwhile waits for
// it. If an expression does not compile, its Program has the error, which
// evaluating the condition returns, as in kube-apiserver (S-147). Check is
// stricter: it returns whether an API server would accept the expression in a
// write.
//
// kube-apiserver counts the cost of every evaluation, to stop it at a limit.
// Counting takes several times as long as evaluating. The Bounded form of a
// Program evaluates without counting where cel-go's estimator shows beforehand
// that the limit holds.
//
// A PolicyChecker checks the expressions of one admission policy. Which of them
// see the policy's variables, its params and the authorizer, and the types of
// their results, are as in kube-apiserver.
//
// Check, Compiler and Bounded are safe for concurrent use.
package cel

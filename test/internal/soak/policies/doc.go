// Package policies soaks the evaluator of policies: callers send requests while a
// thousand policies change. Every policy is of one sort:
//
//	denies     a validating policy whose message has its version
//	labels     a mutating policy whose label has its version
//	cost       exceeds the cost budget, with failurePolicy Fail
//	ignored    its expression fails, with failurePolicy Ignore
//	noParam    its param does not exist, with Deny
//	noKind     the kind of its params does not exist
//	panics     the store of its params panics
//
// A request reaches one policy. A violation is a result that no version of the
// policy has that was in force during the request, a panic that leaves the
// evaluator, or what is left at the end.
package policies

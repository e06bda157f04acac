// Package schemas holds objects to the schemas of CustomResourceDefinitions, as
// kube-apiserver does before it stores them.
//
//	if err := schemas.New(definitions).Worse(kind, before, after, subresource); err != nil {
//		// the object has become one that kube-apiserver refuses, or stores less of
//	}
//
// # Steps
//
//  1. The defaults of the schema are filled in, as after every patch.
//  2. kube-apiserver's own code says which values the schema does not allow, which members
//     of a list are there twice, and which fields would be dropped (pruned).
//  3. What concerns a part of the object that the request cannot change is left out: with
//     a status of its own, a kind takes the status from there alone.
//  4. What was wrong before is left out, too.
//
// # Concurrency
//
// A Set belongs to one goroutine. Objects and definitions are only read.
//
// # Errors
//
// They are what is wrong with objects, and what is wrong with a schema.
//
// # What it does not do
//
// It does not run the rules of x-kubernetes-validations, and of metadata it knows no more
// than what the schema says of it.
package schemas

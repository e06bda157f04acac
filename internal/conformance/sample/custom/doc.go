// Package custom makes objects that the schema of a CustomResourceDefinition allows.
//
// # Steps
//
//  1. A value is made of the schema alone: the default if there is one, the first of an
//     enum, and else something small and readable that the limits, the format and the
//     pattern allow. Of an object there is what is required, what has a default, and
//     the spec.
//  2. kube-apiserver's own validation has a look at the object. If it finds something,
//     the next attempt takes other branches of anyOf and oneOf, or leaves nothing out.
//     There are eight attempts at most.
//
// Schemas may want anything, a string of four billion runes even. So there is a limit to
// what an object may cost: it has no more text than a request may have, and all attempts
// together take no more than a number of steps. These are counted, not measured, so that
// the same object is made everywhere.
//
// # Concurrency
//
// There is no state; schemas are only read. When the context ends, so does the making.
//
// # Errors
//
// The error names the field that none of the attempts could satisfy, and why; or it says
// that the object would be too large, or take too long.
//
// # What it does not do
//
// It does not solve: rules of x-kubernetes-validations are not looked at, nor is what
// not forbids taken into account while a value is made. In lists of hundreds, items may
// be there twice.
package custom

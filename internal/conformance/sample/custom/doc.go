// Package custom makes objects that the schema of a CustomResourceDefinition
// allows.
//
//  1. Object makes a value from the schema alone: the default if there is one,
//     the first value of an enum, or else something small and readable that the
//     limits, the format and the pattern allow. An object has its required
//     properties, those with a default, and the spec.
//  2. kube-apiserver's validation checks the object. If it fails, the next
//     attempt takes other branches of anyOf and oneOf, or includes optional
//     properties. There are at most eight attempts.
//
// A schema may require anything, even a string of four billion runes. Therefore
// the text of an object is limited to the size of a request, and the steps of
// all attempts together are limited. The package counts steps instead of
// measuring time, so that the result is the same on every machine.
//
// Object ignores x-kubernetes-validations and "not". Long lists may have
// duplicate items.
package custom

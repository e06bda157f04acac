// Package schemas validates objects against CustomResourceDefinitions, as
// kube-apiserver does before it stores them.
//
//  1. It sets the defaults of the schema, as after every patch.
//  2. kube-apiserver's own code finds invalid values, duplicate items of lists,
//     and fields that would be pruned.
//  3. It ignores problems of a part that the request cannot change: if a kind
//     has a status subresource, only that subresource changes the status.
//  4. It ignores problems that the old object already had.
//
// It does not evaluate x-kubernetes-validations, and checks metadata only
// against the schema. A Set belongs to one goroutine.
package schemas

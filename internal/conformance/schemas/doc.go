// Package schemas validates objects against CustomResourceDefinitions, as
// kube-apiserver does before it stores them.
//
//  1. The defaults of the schema are filled in, as after every patch.
//  2. kube-apiserver's own code finds invalid values, duplicate items of lists,
//     and fields that would be pruned.
//  3. Problems of a part that the request cannot change are left out: a kind
//     with a status subresource takes the status from there only.
//  4. Problems that the object had before are left out, too.
//
// It does not evaluate x-kubernetes-validations, and checks metadata only
// against the schema. A Set belongs to one goroutine.
package schemas

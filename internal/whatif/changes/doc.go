// Package changes compares two sets of manifests that describe how requests are
// admitted: webhook configurations, policies and their bindings, and the objects
// that they depend on, such as Namespaces and CustomResourceDefinitions.
//
//  1. Read reads a set.
//  2. Compare finds the changes from one set to another. A Change is as small as
//     it can be undone alone: a field of a webhook, one matchCondition, a label.
//     It has a position in both sets and says in one sentence what changed.
//  3. Comparison.Documents returns the documents of the second set, with some of
//     the changes undone. With all of them undone these are those of the first set,
//     but for fields that have no effect on admission.
//
// Items of lists that have names, such as webhooks and matchConditions, are
// compared by name. An object or item that has only another name was renamed,
// which changes the order of webhooks. The values of Secrets are in no text.
//
// The errors are those of the files. A Set and a Comparison belong to one goroutine at
// a time.
package changes

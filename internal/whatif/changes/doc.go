// Package changes compares two sets of manifests that describe how requests are
// admitted: webhook configurations, policies and their bindings, and the objects
// that they depend on, such as Namespaces and CustomResourceDefinitions.
//
//  1. Read reads a set.
//  2. Compare finds the changes from one set to another. A Change is the smallest
//     part that can be undone alone: a field of a webhook, one matchCondition, a
//     label. It has a position in both sets and a sentence that describes it.
//  3. Comparison.Documents returns the documents of the second set, with some of
//     the changes undone. With all of them undone these are those of the first set,
//     but for fields that have no effect on admission.
//
// Compare matches items of lists by name if they have one, such as webhooks and
// matchConditions. An object or item that differs only by its name was renamed,
// which changes the order of webhooks. No text has values of Secrets.
//
// The errors are those of the files. A Set and a Comparison belong to one goroutine at
// a time.
package changes

// Package matching decides which webhooks a request visits, and why it does not
// visit the others.
//
// Compile turns a webhook into a compiled one when its configuration changes:
// selectors are parsed, rules split, CEL expressions compiled. Webhook.Match
// then answers for one request, taking the stages in kube-apiserver's order
// (S-080):
//
//  1. namespaceSelector, against the labels of the request's namespace
//  2. objectSelector, against the labels of the new and the old object
//  3. rules, against the request's resource
//  4. rules again, against equivalent resources, if matchPolicy is Equivalent
//  5. only now an error of stage 1, then of stage 2, is reported
//  6. matchConditions, against the object in the version that the rule named
//
// Snapshot.Candidates comes first: an index over the rules of all webhooks leads to
// those that may match, so that the others cost nothing (see index). What equal
// selectors and equal conditions give is remembered in the Request until its object
// changes; every webhook is charged as if it had asked itself.
//
// A stage that says no ends the matter. An error does not say no: it waits until
// the rules have matched, so that a broken selector never affects requests that
// the webhook did not ask for (S-081).
//
// The result is an admission.Match. An error in it ends the whole request; what
// an error of a condition means has been decided by then (S-151).
//
// Match is pure but for two interfaces, Namespaces and the authorizer that CEL
// conditions may ask. A compiled Webhook and a Snapshot are immutable and safe
// for concurrent use. A Request belongs to one goroutine.
package matching

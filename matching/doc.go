// Package matching decides which webhooks receive a request, and why the others
// do not.
//
// Compiler.Compile prepares webhooks when their configuration changes: it
// parses selectors, splits rules and compiles CEL expressions. A Snapshot holds
// all compiled webhooks, and a View is one request. For each webhook the engine
// takes two steps:
//
//	MatchRules       selectors and rules; the result names the version of the object
//	                 that the webhook asks for
//	MatchConditions  matchConditions, on the object that the engine has converted to
//	                 that version
//
// The stages have kube-apiserver's order (S-080):
//
//  1. namespaceSelector, against the labels of the request's namespace
//  2. objectSelector, against the labels of the new and the old object
//  3. rules, against the request's resource
//  4. rules again, against equivalent resources, if matchPolicy is Equivalent
//  5. an error of stage 1, then one of stage 2
//  6. matchConditions
//
// A stage that does not match excludes the webhook. An error does not: it is
// reported only after the rules have matched, so that a broken selector never
// affects requests that the webhook has no rule for (S-081). An error in
// admission.Match ends the whole request; failurePolicy has been applied to
// errors of conditions by then (S-151).
//
// Snapshot.Candidates comes first. It uses an index over all rules to find the
// webhooks that may match, so that the other webhooks cost nothing. A View
// keeps the results of conditions for webhooks with equal ones, until
// View.Update sets another object; each webhook still pays the full CEL cost.
//
// # Purity
//
// Matching has no effects. Outside of the package it calls only CEL, the object
// interfaces' EquivalentResourceMapper, the Namespaces of the View, and the
// authorizer that CEL conditions use.
//
// # Concurrency
//
// A compiled Webhook and a Snapshot are immutable and safe for concurrent use.
// A View belongs to one goroutine.
//
// Numbers such as S-123 refer to docs/semantics.md.
package matching

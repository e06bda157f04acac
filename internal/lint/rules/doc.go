// Package rules has the rules of `gatehouse lint`.
//
//	all.go             All: every rule
//	failures.go        requests that fail while a backend is down
//	delays.go          requests that wait too long for a backend that hangs
//	matching.go        requests that a webhook should not receive, or misses
//	never.go           rules that match nothing
//	versions.go        resources with several versions, and labels that nothing has
//	configurations.go  other fields of webhooks
//	policies.go        policies and bindings
//	certificates.go    certificates, CA bundles and URLs
//	backends.go        Services and Deployments
//	access.go          who may change all of that
//	causes.go          what findings have in common
//
// Each rule has an ID, a level, a title, a reason, a remedy and its sources;
// docs/lint.md is made from them. testdata has a guilty and an innocent twin for each, and
// configurations of incidents before and after the remedy.
package rules

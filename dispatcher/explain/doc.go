// Package explain tells people and programs what happened to a request on its way
// through admission webhooks: which webhook was called and which was not and why, who
// wrote which field, what a small change would have made different.
//
// It makes no decisions and looks nothing up: all that it says is in the records of
// package admission, whose Response.Explain makes an Explanation of them. What is
// computed here are the consequences of these records:
//
//	Diff      the changes from one state of an object to the next
//	Blame     for each field of the final object who wrote it, and whose values are gone
//	Complete  all of that, with reasons, causes, and the smallest change that would have
//	          had a webhook called
//	Tree      the explanation as text for people
//	Only, At  the part of it that is about one webhook, or about one field
//
// An Explanation is data, with a JSON form that has a version and a schema. Package
// internal/report makes a page for browsers of it.
//
// # Secrets
//
// The data of Secrets is never in an Explanation, unless it was asked for. It is
// replaced when the Explanation is made, so that whoever prints one need not know of
// it; Redacted says so in place.
//
// # Concurrency
//
// The functions share nothing; an Explanation belongs to who has made it.
//
// # Errors
//
// An Explanation is made without any: it must not be the reason why something fails. What
// could not be rendered says so in its place, and in Explanation.Problems. Those of Diff,
// Blame and ParsePath are about text that is not what they take.
//
// # What it does not do
//
// It does no I/O and imports hardly more than k8s.io/api and k8s.io/apimachinery, because
// package admission, which everything imports, imports it.
package explain

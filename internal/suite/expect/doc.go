// Package expect compares what came of a request with what was expected of it.
//
//  1. Compile makes an Expectation of what a suite's author has written: it compiles the
//     regular expressions, and sees to it that webhooks that are named exist, and that it is
//     clear which they are. It reports all mistakes at once.
//  2. Expectation.Check compares an admission.Response with it, field by field, and
//     returns a Failure for each difference.
//
// Each Failure says in one line what was wanted and what came instead, and where a reason
// is known, as for a webhook that was not called, it says that too. Reasons are those of
// package explain, and an explanation is made only when one is asked for: it takes longer
// than all the rest.
//
// # Objects
//
// What is expected of the final object is a part of it, as explain.Subset understands
// that. Object and Differences are for package golden, which compares all of it.
//
// # Webhooks of one name
//
// A name is that of one webhook. Where one is in several configurations Compile wants to
// know which is meant. But configurations of both kinds may have one name, and one of them
// may have a webhook twice; then all that is expected is expected of each.
//
// # Webhooks that fail
//
// A call that failed, or whose answer could not be put to use, is a Failure, also if the
// request fares as expected: by its failurePolicy a webhook that cannot be reached looks
// like one that says no, or like one that has nothing to say. It is none if an outcome is
// expected of the webhook, and what denied the request is none if the denial itself is
// looked at: its code, reason or message, or that it is one at all where none is expected.
//
// # Secrets
//
// A Failure does not have what Secrets keep secret: values that are not to be shown are
// "(hidden)", and texts of webhooks do not quote them. Where both values are hidden it says
// no more than that they differ.
//
// # Concurrency
//
// An Expectation never changes. Nothing is shared besides, and no goroutine is started.
//
// # Errors
//
// Those of Compile join one *Mistake for each. Check has none: what cannot be compared is
// a Failure.
//
// # What it does not do
//
// It does no I/O, and it does not look for what contradicts itself in an expectation: that
// is for package suitefile, which knows the format.
package expect

// Package expect compares the response to a request with expectations.
//
//  1. Compile makes an Expectation from an author's input: it compiles regular
//     expressions, and resolves names to existing, unambiguous webhooks.
//  2. Expectation.Check compares an admission.Response with it, field by field,
//     and returns a Failure for each difference: one line with the expected and
//     the actual value and, where it is known, the reason, as package explain
//     words it.
//
// An expected object is a subset of the final object, as explain.Subset defines
// it. Object and Differences are for package golden, which compares the whole
// object.
//
// A name identifies one webhook; Compile rejects a name that is in several
// configurations. If configurations of both kinds share a name, or one has a
// webhook twice, the expectation applies to each of them.
//
// A failed call is a Failure even if the verdict is as expected: by its
// failurePolicy a webhook that cannot be reached looks like one that denies, or
// like one that makes no changes. It is none if an outcome is expected of the
// webhook, nor if the call denied the request and the expectation is about the
// denial: its code, reason or message, or allowed: true.
//
// A Failure does not contain the data of Secrets: such values are "(hidden)",
// also where a webhook quotes them. If both values are hidden it only says that
// they differ.
package expect

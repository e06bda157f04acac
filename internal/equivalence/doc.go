// Package equivalence looks for a request that two sides answer differently. A side is a
// set of webhook configurations and admission policies: a webhook and the policy that is
// to replace it, two versions of a policy, two configurations of a webhook.
//
//	v, err := equivalence.Compare(ctx, before, after, equivalence.Options{})
//	if d := v.Different; d != nil {
//		text, err := d.Manifest() // for gatehouse run
//	}
//
// Compare sends the same requests to both sides: those of the inputs, and then those of
// package draw, first with one edited field each and then with several. If a request has
// a new result, such as another denial or another result of an expression, it is the seed
// of others. Compare also tries the words of messages as values.
//
// Compare shrinks the first request with different answers: it removes fields and makes
// values simple as long as the answers differ in the same aspect.
//
// A side that answers a request differently when it is sent again is not deterministic.
// Compare reports such a request, and not as a difference between the sides.
//
// If there is no difference, that is no proof. The Verdict has the number of compared
// requests.
package equivalence

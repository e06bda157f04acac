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
// package draw, first with one edited field each and then with several. It learns while
// it compares: a request for which a side does something new, such as another denial or
// another result of an expression, is the seed of others, and messages have words that
// are tried as values.
//
// The first request with different answers is shrunk: fields are removed and values made
// simple as long as the answers differ in the same aspect.
//
// A side that answers a request differently when it is asked again is not deterministic.
// Such a request is set aside and reported as such.
//
// No difference is no proof. It says how many requests were compared.
package equivalence

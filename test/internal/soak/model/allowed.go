package model

import (
	"slices"

	"example.com/gatehouse/admission"
)

// Allowed are the states that a request may have seen in a phase.
type Allowed struct {
	Configurations, Namespaces []State
}

// Certain reports whether there is one only for the request.
func (a Allowed) Certain(r Request) bool {
	return len(a.Configurations) == 1 && len(goldenIn(a.Namespaces, r.Namespace)) == 1
}

// Explanation is what an outcome came from.
type Explanation struct {
	Counts Counts
	Kinds  Kinds
}

// Explain returns how a request may have come to an outcome if so many of its
// calls were lost before they reached webhooks without a fault: those of the
// first webhooks that have no answer in the outcome. Lost calls count as calls
// of webhooks with a fault. If no state explains it, ok is false, and predicted
// are the outcomes that some of the states allow.
func (a Allowed) Explain(
	phase admission.Phase, r Request, seen Outcome, lost int,
) (e Explanation, predicted []string, ok bool) {
	line := seen.String()
	a.predict(newPrediction(phase, r, seen, lost), r, seen, func(p *prediction) bool {
		outcome := p.done()
		if ok = p.lost == 0 && outcome.String() == line; ok {
			e = Explanation{p.counts, p.kinds}
			return false
		}
		predicted = append(predicted, outcome.String())
		return true
	})
	return e, predicted, ok
}

// predict yields what the states allow. Each round sees a state of its own, the
// second one none that is older.
func (a Allowed) predict(
	begin *prediction, r Request, seen Outcome, yield func(*prediction) bool,
) {
	golden := goldenIn(a.Namespaces, r.Namespace)
	for i, s := range a.Configurations {
		for _, g := range golden {
			first := begin.clone()
			first.round(s, g)
			if !first.leads(seen) {
				if !yield(first) {
					return
				}
				continue
			}
			for _, s := range a.Configurations[i:] {
				for _, g := range golden {
					second := first.clone()
					second.second = true
					second.round(s, g)
					if !yield(second) {
						return
					}
				}
			}
		}
	}
}

// leads reports whether there is a second round, and the first one explains the
// calls that were seen first.
func (p *prediction) leads(seen Outcome) bool {
	calls := p.outcome.Calls
	return p.more && p.outcome.Verdict == allowed && len(seen.Calls) >= len(calls) &&
		slices.Equal(seen.Calls[:len(calls)], calls)
}

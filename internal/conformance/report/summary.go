package report

import "slices"

// VerdictOf returns the overall verdict of a check: Fail if it failed for any
// webhook, else Pass if it passed for one, else Skip.
func (r *Report) VerdictOf(check string) Verdict {
	all := Skip
	for i := range r.Results {
		switch result := &r.Results[i]; {
		case result.Check != check:
		case result.Verdict == Fail:
			return Fail
		case result.Verdict == Pass:
			all = Pass
		}
	}
	return all
}

// Failed returns the checks of a level that failed, in order.
func (r *Report) Failed(level Level) []Check {
	return slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool {
		return c.Level != level || r.VerdictOf(c.ID) != Fail
	})
}

// Problems returns the webhooks that could not be checked.
func (r *Report) Problems() []Webhook {
	return slices.DeleteFunc(slices.Clone(r.Webhooks), func(w Webhook) bool { return w.Problem == "" })
}

// Conforms reports whether no check of level Must failed and every webhook
// could be checked.
func (r *Report) Conforms() bool { return len(r.Failed(Must))+len(r.Problems()) == 0 }

// Tally counts the checks of a report by verdict.
type Tally struct {
	// Warnings are failed checks of level Should; Failed counts the other
	// failed checks.
	Passed, Failed, Warnings, Skipped int
}

// Tally counts each check once, by VerdictOf.
func (r *Report) Tally() Tally {
	var t Tally
	for _, c := range r.Checks {
		switch verdict := r.VerdictOf(c.ID); {
		case verdict == Pass:
			t.Passed++
		case verdict == Skip:
			t.Skipped++
		case c.Level == Should:
			t.Warnings++
		default:
			t.Failed++
		}
	}
	return t
}

// ResultsOf returns the results of a check with a verdict, in order.
func (r *Report) ResultsOf(check string, verdict Verdict) []Result {
	return slices.DeleteFunc(slices.Clone(r.Results), func(result Result) bool {
		return result.Check != check || result.Verdict != verdict
	})
}

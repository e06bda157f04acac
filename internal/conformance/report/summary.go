package report

import (
	"cmp"
	"slices"
)

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

// Severity returns the level of the worst finding of a check that the baseline
// does not accept; empty if there is none.
func (r *Report) Severity(c *Check) Level {
	var worst Level
	for i := range r.Results {
		result := &r.Results[i]
		if result.Check != c.ID || result.Verdict != Fail {
			continue
		}
		worst = worse(worst, result.Severity(c))
	}
	return worst
}

// worse returns the worse of two severities.
func worse(a, b Level) Level {
	if a == Must || b == Must {
		return Must
	}
	return cmp.Or(a, b)
}

// Severity returns the level of the worst finding that the baseline does not
// accept; empty if there is none.
func (r *Result) Severity(c *Check) Level {
	if len(r.Findings) == 0 {
		return c.Level
	}
	var worst Level
	for _, f := range slices.Concat(r.Findings, r.Rest) {
		if !f.Accepted {
			worst = worse(worst, cmp.Or(f.Level, c.Level))
		}
	}
	return worst
}

// Webhooks returns the names in Webhook and Also. It returns none if the check
// covers all webhooks.
func (r *Result) Webhooks() []string {
	if r.Webhook == "" {
		return nil
	}
	return append([]string{r.Webhook}, r.Also...)
}

// Failed returns the checks that failed with this severity, in order.
func (r *Report) Failed(level Level) []Check {
	return slices.DeleteFunc(slices.Clone(r.Checks),
		func(c Check) bool { return r.Severity(&c) != level })
}

// Problems returns the webhooks that could not be checked.
func (r *Report) Problems() []Webhook {
	return slices.DeleteFunc(slices.Clone(r.Webhooks), func(w Webhook) bool { return w.Problem == "" })
}

// Conforms reports whether no check failed with the severity Must and every
// webhook could be checked.
func (r *Report) Conforms() bool { return len(r.Failed(Must))+len(r.Problems()) == 0 }

// Tally counts the checks of a report by verdict.
type Tally struct {
	// Failed counts the failed checks with the severity Must, Warnings those
	// with Should, and Accepted those whose findings are all in the baseline.
	Passed, Failed, Warnings, Accepted, Skipped int
}

// Tally counts each check once, by VerdictOf and Severity.
func (r *Report) Tally() Tally {
	var t Tally
	for _, c := range r.Checks {
		switch verdict := r.VerdictOf(c.ID); verdict {
		case Pass:
			t.Passed++
			continue
		case Skip:
			t.Skipped++
			continue
		}
		switch r.Severity(&c) {
		case Must:
			t.Failed++
		case Should:
			t.Warnings++
		default:
			t.Accepted++
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

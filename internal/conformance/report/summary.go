package report

// Of returns what came of a check altogether: Fail if it failed anywhere, Pass if it
// passed somewhere, and else Skip.
func (r *Report) Of(check string) Verdict {
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

// Failed returns the checks of a level that failed anywhere, in their order.
func (r *Report) Failed(level Level) []Check {
	var failed []Check
	for _, c := range r.Checks {
		if c.Level == level && r.Of(c.ID) == Fail {
			failed = append(failed, c)
		}
	}
	return failed
}

// Problems returns the webhooks that could not be looked at.
func (r *Report) Problems() []Webhook {
	var problems []Webhook
	for _, w := range r.Webhooks {
		if w.Problem != "" {
			problems = append(problems, w)
		}
	}
	return problems
}

// Conforms reports whether no check of level Must failed and every webhook could be
// looked at.
func (r *Report) Conforms() bool { return len(r.Failed(Must))+len(r.Problems()) == 0 }

// Tally is how many checks came to what.
type Tally struct {
	// Passed, Failed and Skipped are checks; Warnings are those of level Should that
	// failed, and Failed are the others that did.
	Passed, Failed, Warnings, Skipped int
}

// Tally counts the checks, each once, as Of has it.
func (r *Report) Tally() Tally {
	var t Tally
	for _, c := range r.Checks {
		switch verdict := r.Of(c.ID); {
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

// Found returns the results of a check that have a verdict, in their order.
func (r *Report) Found(check string, verdict Verdict) []Result {
	var found []Result
	for _, result := range r.Results {
		if result.Check == check && result.Verdict == verdict {
			found = append(found, result)
		}
	}
	return found
}

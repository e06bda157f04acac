package conformance

import (
	"bytes"
	"fmt"
	"strings"

	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report/junit"
)

// looked is the case that fails with an error if a webhook could not be looked at.
const looked = "can be looked at"

// junitOf returns a suite for each webhook, and one for all of them together if there were
// checks of that. A check of level should that failed passes, and says why it did not in
// its output: it is no reason for a build to fail.
func junitOf(r *report.Report) ([]byte, error) {
	all := &junit.Report{Name: "gatehouse conformance"}
	for i := range r.Webhooks {
		w := &r.Webhooks[i]
		suite := junit.Suite{Name: w.Name, Properties: properties(w), Cases: append([]junit.Case{lookedAt(w)}, cases(r, w.Name)...)}
		all.Suites = append(all.Suites, suite)
	}
	if cases := cases(r, ""); len(cases) > 0 {
		all.Suites = append(all.Suites, junit.Suite{Name: together, Cases: cases})
	}
	var out bytes.Buffer
	if err := junit.Write(&out, all); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func properties(w *report.Webhook) []junit.Property {
	return []junit.Property{
		{Name: "phase", Value: w.Phase}, {Name: "url", Value: w.URL}, {Name: "samples", Value: strings.Join(w.Samples, ", ")},
	}
}

func lookedAt(w *report.Webhook) junit.Case {
	c := junit.Case{Name: looked, Class: w.Name}
	if w.Problem != "" {
		c.Error = &junit.Message{Summary: message.Escaped(w.Problem), Type: "problem"}
	}
	return c
}

// cases returns the results at a webhook; if the name is empty, those of all webhooks
// together.
func cases(r *report.Report, webhook string) []junit.Case {
	definitions := map[string]*report.Check{}
	for i := range r.Checks {
		definitions[r.Checks[i].ID] = &r.Checks[i]
	}
	var all []junit.Case
	for i := range r.Results {
		if result := &r.Results[i]; result.Webhook == webhook {
			all = append(all, caseOf(definitions[result.Check], result))
		}
	}
	return all
}

func caseOf(check *report.Check, result *report.Result) junit.Case {
	c := junit.Case{Name: check.ID + ": " + check.Title, Class: subject(result)}
	switch {
	case result.Verdict == report.Skip:
		c.Skipped = &junit.Message{Summary: message.Escaped(result.Message)}
	case result.Verdict == report.Pass:
		c.SystemOut = message.Escaped(result.Message)
	case check.Level == report.Should:
		c.SystemOut = "warning:\n" + failure(check, result)
	default:
		c.Failures = []junit.Message{{
			Summary: message.Escaped(result.Findings[0].String()), Type: string(check.Level), Text: failure(check, result),
		}}
	}
	return c
}

// failure says all about a check that failed.
func failure(check *report.Check, result *report.Result) string {
	return fmt.Sprintf("%swhy: %s\nfix: %s\n", findings(result, "", false), check.Why, check.Fix)
}

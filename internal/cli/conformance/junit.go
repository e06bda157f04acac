package conformance

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report/junit"
)

// checkedCase is the name of the case that has an error if a webhook could not
// be checked.
const checkedCase = "can be checked"

// junitOf returns a suite for each webhook, and one for the checks of all
// webhooks together, if any. A failed check of level should passes with a
// warning in its output, so that it does not fail a build.
func junitOf(r *report.Report) ([]byte, error) {
	all := &junit.Report{Name: "gatehouse conformance"}
	for i := range r.Webhooks {
		w := &r.Webhooks[i]
		suite := junit.Suite{Name: w.Name, Properties: properties(w),
			Cases: append([]junit.Case{lookedAt(w)}, cases(r, w.Name)...)}
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
		{Name: "phase", Value: w.Phase}, {Name: "url", Value: w.URL}, {Name: "samples",
			Value: strings.Join(w.Samples, ", ")},
	}
}

func lookedAt(w *report.Webhook) junit.Case {
	c := junit.Case{Name: checkedCase, Class: w.Name}
	if w.Problem != "" {
		c.Error = &junit.Message{Summary: message.Escaped(w.Problem), Type: "problem"}
	}
	return c
}

// cases returns the results of a webhook, or of all webhooks together if the
// name is empty.
func cases(r *report.Report, webhook string) []junit.Case {
	definitions := map[string]*report.Check{}
	for i := range r.Checks {
		definitions[r.Checks[i].ID] = &r.Checks[i]
	}
	var all []junit.Case
	for i := range r.Results {
		result := &r.Results[i]
		switch check := definitions[result.Check]; {
		case result.Webhook == webhook:
			all = append(all, caseOf(check, result))
		case slices.Contains(result.Also, webhook):
			all = append(all, junit.Case{Name: caseName(check), Class: webhook, Skipped: &junit.Message{
				Summary: message.Escaped("see the findings of " + result.Webhook)}})
		}
	}
	return all
}

func caseName(check *report.Check) string { return check.ID + ": " + check.Title }

func caseOf(check *report.Check, result *report.Result) junit.Case {
	c := junit.Case{Name: caseName(check), Class: cmp.Or(result.Webhook, together)}
	switch severity := result.Severity(check); {
	case result.Verdict == report.Skip:
		c.Skipped = &junit.Message{Summary: message.Escaped(result.Message)}
	case result.Verdict == report.Pass:
		c.SystemOut = message.Escaped(result.Message)
	case severity == "":
		c.SystemOut = "accepted by the baseline:\n" + failure(check, result)
	case severity == report.Should:
		c.SystemOut = "warning:\n" + failure(check, result)
	default:
		c.Failures = []junit.Message{{
			Summary: message.Escaped(newFinding(result).String()), Type: string(severity), Text: failure(
				check, result),
		}}
	}
	return c
}

// newFinding returns the first finding that the baseline does not accept.
func newFinding(result *report.Result) *report.Finding {
	all := slices.Concat(result.Findings, result.Rest)
	i := slices.IndexFunc(all, func(f report.Finding) bool { return !f.Accepted })
	return &all[max(i, 0)]
}

// failure describes a failed check in full.
func failure(check *report.Check, result *report.Result) string {
	var webhooks string
	if len(result.Also) > 0 {
		webhooks = message.Escaped(subject(result)) + "\n"
	}
	return fmt.Sprintf("%s%swhy: %s\nfix: %s\nsee: %s\n", webhooks,
		findings(result, "", false), check.Why, check.Fix, check.Link)
}

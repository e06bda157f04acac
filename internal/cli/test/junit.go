package test

import (
	"bytes"
	"fmt"
	"strings"

	"example.com/gatehouse/internal/report/junit"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/report"
)

// served is the name of the case that has an error if the webhooks of a suite
// are unusable.
const served = "webhooks can be used"

// junitOf returns results as JUnit XML. Selected cases that did not run are
// skipped.
func junitOf(results []*suite.SuiteResult) ([]byte, error) {
	all := &junit.Report{Name: "gatehouse test"}
	for _, r := range results {
		s := junit.Suite{
			Name: shown(r.Suite.Name), Properties: []junit.Property{
				{Name: "file", Value: shown(r.Suite.File)}},
			SystemOut: report.Printed(r),
		}
		if r.Err != nil {
			s.Cases = append(s.Cases, junit.Case{Name: served, Class: s.Name, Error: &junit.Message{
				Summary: shown(r.Err.Error()), Type: string(report.Error),
			}})
		}
		for _, result := range r.Results {
			s.Cases = append(s.Cases, junitCase(result))
		}
		for _, c := range r.NotRun {
			s.Cases = append(s.Cases,
				junit.Case{Name: shown(c.Name), Class: s.Name, Skipped: &junit.Message{Summary: "not run"}})
		}
		all.Suites = append(all.Suites, s)
	}
	var out bytes.Buffer
	if err := junit.Write(&out, all); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func junitCase(r *suite.Result) junit.Case {
	c := junit.Case{Name: shown(r.Case.Name), Class: shown(r.Suite.Name), Duration: r.Elapsed}
	for _, f := range r.Failures {
		text := shown(f.Text)
		// CI systems show each failure separately.
		whole := strings.TrimSpace(fmt.Sprintf("%s: %s\n%s", positionOf(r, f.Field), text, hints(r)))
		c.Failures = append(c.Failures, junit.Message{Summary: text, Type: f.Field, Text: whole})
	}
	if r.Err != nil {
		whole := fmt.Sprintf("%s: %s\n%s", position(r.Case.At("")), shown(r.Err.Error()), hints(r))
		c.Error = &junit.Message{Summary: shown(r.Err.Error()), Type: string(report.StatusOf(r)),
			Text: strings.TrimSpace(whole)}
	}
	var out strings.Builder
	if !r.Passed() && r.Response != nil {
		out.WriteString(r.Explain().String())
	}
	if r.Golden != "" {
		fmt.Fprintf(&out, "wrote %s\n", shown(r.Golden))
	}
	c.SystemOut = out.String()
	return c
}

package lint

import (
	"bytes"
	"strings"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report/junit"
)

// junitOf returns a case for each rule, which fails with its findings.
func junitOf(r *Report, rules []*lint.Rule) ([]byte, error) {
	suite := junit.Suite{Name: "lint"}
	for _, rule := range rules {
		c := junit.Case{Name: rule.ID, Class: "lint"}
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Rule == rule.ID && f.Silenced == "" {
				c.Failures = append(c.Failures, junit.Message{
					Summary: message.Escaped(f.Subject + ": " + f.Message), Type: f.Level,
					Text: message.Escaped(f.position + ": " + f.Title + " " + f.Fix + f.others()),
				})
			}
		}
		if part := r.partOf(rule.ID); part != "" && len(c.Failures) == 0 {
			c.Skipped = &junit.Message{Summary: "part of the finding " + part, Type: "skipped"}
		}
		for _, s := range r.Skipped {
			if s.Rule == rule.ID {
				c.Skipped = &junit.Message{
					Summary: "the inputs have no " + strings.Join(s.Missing, " or "), Type: "skipped",
				}
			}
		}
		suite.Cases = append(suite.Cases, c)
	}
	var out bytes.Buffer
	err := junit.Write(&out, &junit.Report{Name: "gatehouse lint", Suites: []junit.Suite{suite}})
	return out.Bytes(), err
}

// partOf returns the ID of a finding that has a problem of a rule among the others; empty if
// there is none.
func (r *Report) partOf(rule string) string {
	for i := range r.Findings {
		for _, p := range r.Findings[i].Others {
			if p.Rule == rule && p.Silenced == "" {
				return message.Escaped(r.Findings[i].ID)
			}
		}
	}
	return ""
}

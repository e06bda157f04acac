package webhooktest

import (
	"fmt"
	"strings"
	"testing"

	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/suite"
)

// report fails the test unless a case passed. at is the position of its
// expectations in Go code, or "" if they are in a file.
func report(t *testing.T, r *suite.Result, at string) {
	t.Helper()
	if r.Golden != "" {
		t.Logf("written: %s", r.Golden)
	}
	if !r.Passed() {
		t.Error(describe(r, at))
	}
}

// describe returns the failures of a case, one per line, with hints and the
// explanation.
func describe(r *suite.Result, at string) string {
	var b strings.Builder
	if r.Err != nil {
		fmt.Fprintf(&b, "\n%s: %s", positionOf(r.Case, "", at), errorText(r.Err))
	}
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "\n%s: %s", positionOf(r.Case, f.Field, at), f.Text)
	}
	for _, hint := range r.Hints {
		fmt.Fprintf(&b, "\nhint: %s", message.Escaped(hint))
	}
	if e := r.Explain(); e != nil {
		fmt.Fprintf(&b, "\n\n%s", e)
	}
	return b.String()
}

// positionOf returns the position of an expectation.
func positionOf(c *suite.Case, field, at string) string {
	if field != "" {
		field = "expect." + field
	}
	if p := c.At(field); at == "" && p.File != "" {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return at
}

// escapedLines returns the output of a command, escaped for terminals.
func escapedLines(printed string) string {
	return "  " + message.Shown(strings.TrimRight(printed, "\n"), "  ")
}

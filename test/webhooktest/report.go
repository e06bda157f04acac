package webhooktest

import (
	"fmt"
	"strings"
	"testing"

	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/suite"
)

// report fails the test unless a case has passed. at is where its expectations stand in Go
// code, "" if they stand in a file.
func report(t *testing.T, r *suite.Result, at string) {
	t.Helper()
	if r.Golden != "" {
		t.Logf("written: %s", r.Golden)
	}
	if !r.Passed() {
		t.Error(describe(r, at))
	}
}

// describe says why a case has not passed: a line for everything that is not as expected,
// what may be the reason, and what happened to the request.
func describe(r *suite.Result, at string) string {
	var b strings.Builder
	if r.Err != nil {
		fmt.Fprintf(&b, "\n%s: %s", where(r.Case, "", at), errorText(r.Err))
	}
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "\n%s: %s", where(r.Case, f.Field, at), f.Text)
	}
	for _, hint := range r.Hints() {
		fmt.Fprintf(&b, "\nhint: %s", message.Escaped(hint))
	}
	if e := r.Explain(); e != nil {
		fmt.Fprintf(&b, "\n\n%s", e)
	}
	return b.String()
}

// where returns the place of what was expected.
func where(c *suite.Case, field, at string) string {
	if field != "" {
		field = "expect." + field
	}
	if p := c.At(field); at == "" && p.File != "" {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return at
}

// lines returns what a command has printed with nothing in it that a terminal would obey.
func lines(printed string) string {
	all := strings.Split(strings.TrimRight(printed, "\n"), "\n")
	for i, line := range all {
		all[i] = "  " + message.Escaped(line)
	}
	return strings.Join(all, "\n")
}

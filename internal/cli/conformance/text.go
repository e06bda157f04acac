package conformance

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
)

func jsonOf(r *report.Report) ([]byte, error) { return command.Indented(r) }

// textOf returns a block for each failed check, or if verbose for each check,
// and a summary.
//
//	failed   C-UID (must): echoes the uid
//	  hooks/labels.example.com
//	    CREATE pods/web in shop: the answer has the uid "", not "…"
//	      sent     POST https://labels.hooks.svc:443/?timeout=10s {"request":{"uid":"…"}}
//	      answered 200 application/json in 2ms {"response":{"uid":"","allowed":true}}
//	  why: kube-apiserver takes an answer with another uid for no answer.
//	  fix: Copy request.uid to response.uid.
//	  see: docs/conformance.md#c-uid-echoes-the-uid
func textOf(r *report.Report, verbose bool, colors command.Palette) []byte {
	t := &text{report: r, verbose: verbose, colors: colors}
	for i := range r.Checks {
		t.check(&r.Checks[i])
	}
	tally := r.Tally()
	fmt.Fprintf(t, "%d passed, %d failed (must), %s, ", tally.Passed, tally.Failed,
		message.Count(tally.Warnings, "warning"))
	if tally.Accepted > 0 {
		fmt.Fprintf(t, "%d accepted by the baseline, ", tally.Accepted)
	}
	fmt.Fprintf(t, "%d skipped\n", tally.Skipped)
	return t.Bytes()
}

type text struct {
	bytes.Buffer
	report  *report.Report
	verbose bool
	colors  command.Palette
}

// check writes the results of a check.
func (t *text) check(c *report.Check) {
	verdict, severity := t.report.VerdictOf(c.ID), t.report.Severity(c)
	if severity == "" && !t.verbose {
		return
	}
	fmt.Fprintf(t, "%s %s (%s): %s\n", t.colored(verdict, severity), c.ID, cmp.Or(severity, c.Level), c.Title)
	for i := range t.report.Results {
		if result := &t.report.Results[i]; result.Check == c.ID {
			t.result(c, result)
		}
	}
	if verdict == report.Fail {
		fmt.Fprintf(t, "  why: %s\n  fix: %s\n  see: %s\n", c.Why, c.Fix, c.Link)
	}
	t.WriteByte('\n')
}

// colored returns the word for a verdict, as wide as the longest.
func (t *text) colored(verdict report.Verdict, severity report.Level) string {
	text := fmt.Sprintf("%-8s", word(verdict, severity))
	switch {
	case verdict == report.Pass:
		return t.colors.Good(text)
	case verdict == report.Skip, severity == "":
		return text
	case severity == report.Should:
		return t.colors.Notable(text)
	}
	return t.colors.Bad(text)
}

// word returns the name of a verdict with the severity of the findings.
func word(verdict report.Verdict, severity report.Level) string {
	switch {
	case verdict == report.Pass:
		return "passed"
	case verdict == report.Skip:
		return "skipped"
	case severity == report.Should:
		return "warning"
	case severity == "":
		return "accepted"
	}
	return "failed"
}

// result writes the findings at a webhook, or if verbose the message of a check
// that did not fail.
func (t *text) result(c *report.Check, result *report.Result) {
	line := "  " + subject(result)
	switch {
	case result.Verdict == report.Fail && (t.verbose || result.Severity(c) != ""):
		fmt.Fprintln(t, message.Escaped(line))
		t.Write(findings(result, "    ", t.verbose))
	case t.verbose:
		line += " " + word(result.Verdict, "")
		if result.Message != "" {
			line += ": " + result.Message
		}
		fmt.Fprintln(t, message.Escaped(line))
	}
}

// together is the webhook name of results that concern all webhooks.
const together = "all webhooks together"

// subject returns the webhooks of a result.
func subject(result *report.Result) string {
	return cmp.Or(strings.Join(result.Webhooks(), ", "), together)
}

// findings returns the findings of a result. Unless all is set, it leaves out
// those that the baseline accepts, and only the first finding has its evidence,
// because the others are similar.
func findings(result *report.Result, indent string, all bool) []byte {
	var out bytes.Buffer
	shown := 0
	for i := range result.Findings {
		f := &result.Findings[i]
		if f.Accepted && !all {
			continue
		}
		shown++
		fmt.Fprintf(&out, "%s%s\n", indent, message.Escaped(f.String()+accepted(f)))
		for _, path := range f.Paths {
			fmt.Fprintf(&out, "%s  at %s\n", indent, message.Escaped(path))
		}
		if !all && shown > 1 {
			continue
		}
		for j := range f.Evidence {
			writeExchange(&out, &f.Evidence[j], indent+"  ", all)
		}
	}
	if more := unshown(result, all); more > 0 {
		fmt.Fprintf(&out, "%sand %d more\n", indent, more)
	}
	if result.Message != "" {
		fmt.Fprintf(&out, "%s%s\n", indent, message.Escaped(result.Message))
	}
	return out.Bytes()
}

// accepted marks a finding that the baseline accepts.
func accepted(f *report.Finding) string {
	if f.Accepted {
		return " (accepted by the baseline)"
	}
	return ""
}

// unshown counts the findings without evidence, without those that the baseline
// accepts unless all is set.
func unshown(result *report.Result, all bool) int {
	n := result.More
	for _, f := range result.Rest {
		if f.Accepted && !all {
			n--
		}
	}
	return n
}

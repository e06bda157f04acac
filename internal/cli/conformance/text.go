package conformance

import (
	"bytes"
	"fmt"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
)

func jsonOf(r *report.Report) ([]byte, error) { return command.Indented(r) }

// textOf returns a block for each check that failed, or in all words for each check, and
// a line that sums up.
//
//	failed   C-UID (must): echoes the uid
//	  hooks/labels.example.com
//	    CREATE pods/web in shop: the answer has the uid "", not "…"
//	      sent     POST https://labels.hooks.svc:443/?timeout=10s {"request":{"uid":"…"}}
//	      answered 200 application/json in 2ms {"response":{"uid":"","allowed":true}}
//	  why: kube-apiserver takes an answer with another uid for no answer.
//	  fix: Copy request.uid to response.uid.
func textOf(r *report.Report, verbose bool) []byte {
	t := &text{report: r, verbose: verbose}
	for i := range r.Checks {
		t.check(&r.Checks[i])
	}
	tally := r.Tally()
	fmt.Fprintf(t, "%d passed, %d failed (must), %s, %d skipped\n", tally.Passed, tally.Failed, message.Count(tally.Warnings, "warning"), tally.Skipped)
	return t.Bytes()
}

type text struct {
	bytes.Buffer
	report  *report.Report
	verbose bool
}

// check writes what came of one check.
func (t *text) check(c *report.Check) {
	verdict := t.report.Of(c.ID)
	if verdict != report.Fail && !t.verbose {
		return
	}
	fmt.Fprintf(t, "%-8s %s (%s): %s\n", word(c, verdict), c.ID, c.Level, c.Title)
	for i := range t.report.Results {
		if result := &t.report.Results[i]; result.Check == c.ID {
			t.result(result)
		}
	}
	if verdict == report.Fail {
		fmt.Fprintf(t, "  why: %s\n  fix: %s\n", c.Why, c.Fix)
	}
	t.WriteByte('\n')
}

// word is what a verdict is called.
func word(c *report.Check, verdict report.Verdict) string {
	switch {
	case verdict == report.Pass:
		return "passed"
	case verdict == report.Skip:
		return "skipped"
	case c.Level == report.Should:
		return "warning"
	}
	return "failed"
}

// result writes what a check found at a webhook, or what it says otherwise if that is
// wanted.
func (t *text) result(result *report.Result) {
	switch {
	case result.Verdict == report.Fail:
		fmt.Fprintf(t, "  %s\n", message.Escaped(subject(result)))
		t.Write(findings(result, "    ", t.verbose))
	case t.verbose && result.Message != "":
		fmt.Fprintf(t, "  %s %s: %s\n", message.Escaped(subject(result)), participle(result.Verdict), message.Escaped(result.Message))
	case t.verbose:
		fmt.Fprintf(t, "  %s %s\n", message.Escaped(subject(result)), participle(result.Verdict))
	}
}

func participle(verdict report.Verdict) string {
	if verdict == report.Skip {
		return "skipped"
	}
	return "passed"
}

// together is the name of all webhooks.
const together = "all webhooks together"

// subject is what a result is about.
func subject(result *report.Result) string {
	if result.Webhook == "" {
		return together
	}
	return result.Webhook
}

// findings returns what a check found. In short, only the first finding has its evidence:
// the others are of the same kind.
func findings(result *report.Result, indent string, all bool) []byte {
	var out bytes.Buffer
	for i := range result.Findings {
		f := &result.Findings[i]
		fmt.Fprintf(&out, "%s%s\n", indent, message.Escaped(f.String()))
		for _, path := range f.Paths {
			fmt.Fprintf(&out, "%s  at %s\n", indent, message.Escaped(path))
		}
		if !all && i > 0 {
			continue
		}
		for j := range f.Evidence {
			writeExchange(&out, &f.Evidence[j], indent+"  ", all)
		}
	}
	if result.More > 0 {
		fmt.Fprintf(&out, "%sand %d more\n", indent, result.More)
	}
	if result.Message != "" {
		fmt.Fprintf(&out, "%s%s\n", indent, message.Escaped(result.Message))
	}
	return out.Bytes()
}

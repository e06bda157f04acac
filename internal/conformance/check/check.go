package check

import (
	"context"
	"fmt"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// Check is a definition, and the way to find out. One of Each and All is set.
type Check struct {
	report.Check
	// Each looks at one webhook.
	Each func(ctx context.Context, w *probe.Webhook, r *Record)
	// All looks at all of them together.
	All func(ctx context.Context, c *probe.Collection, r *Record)
}

// most is how many findings of a result are kept.
const most = 5

// Record is what a check sees.
type Record struct {
	saw      bool
	lacks    string
	note     string
	findings []report.Finding
	more     int
}

// Saw says that there was something to look at.
func (r *Record) Saw() { r.saw = true }

// Lacks says what there has to be for anything to be seen: "no sample is deleted". It
// counts if nothing was.
func (r *Record) Lacks(format string, args ...any) { r.lacks = fmt.Sprintf(format, args...) }

// Unanswered is what checks lack that ask again what a webhook has answered.
const Unanswered = "the webhook answered no sample"

// Note says what was measured.
func (r *Record) Note(format string, args ...any) { r.note = fmt.Sprintf(format, args...) }

// Fail notes what is wrong, as the exchange shows. What it quotes it has to quote as a whole
// and as it was written, so that the data of Secrets is found in it: long messages are cut
// after that.
func (r *Record) Fail(x *probe.Exchange, format string, args ...any) {
	r.Find(Finding{Sample: x.Sample, Evidence: []*probe.Exchange{x}}, format, args...)
}

// Finding is something wrong that more than one exchange shows, or none. If there is none,
// what is said must not quote objects, which may be Secrets: Evidence is what says that.
type Finding struct {
	// Sample, Paths and Evidence are those of report.Finding.
	Sample   string
	Paths    []string
	Evidence []*probe.Exchange
}

// Find notes what is wrong.
func (r *Record) Find(f Finding, format string, args ...any) {
	r.saw = true
	if len(r.findings) == most {
		r.more++
		return
	}
	finding := report.Finding{Sample: f.Sample, Message: fmt.Sprintf(format, args...), Paths: f.Paths}
	r.findings = append(r.findings, shown(finding, f.Evidence))
}

// Result returns what came of a check. webhook is empty for one of all webhooks.
func (r *Record) Result(c *Check, webhook string) report.Result {
	result := report.Result{Check: c.ID, Webhook: webhook, Verdict: report.Pass, Message: r.note, Findings: r.findings, More: r.more}
	switch {
	case len(r.findings) > 0:
		result.Verdict = report.Fail
	case !r.saw:
		result.Verdict, result.Message = report.Skip, r.lacks
	}
	return result
}

package check

import (
	"context"
	"fmt"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// Check is a definition with its implementation. One of Each and All is set.
type Check struct {
	report.Check
	// Phase is the phase of the webhooks that Each checks; 0 is both phases.
	Phase admission.Phase
	// Each checks one webhook.
	Each func(ctx context.Context, w *probe.Webhook, r *Record)
	// All checks all webhooks together.
	All func(ctx context.Context, c *probe.Collection, r *Record)
}

// Run checks one webhook with Each, unless the webhook is of another phase.
func (c *Check) Run(ctx context.Context, w *probe.Webhook, r *Record) {
	if c.Phase != 0 && c.Phase != w.Phase {
		r.Missing("it is a %s webhook", w.Phase)
		return
	}
	c.Each(ctx, w, r)
}

// maxFindings is the number of findings that a result keeps with evidence.
const maxFindings = 5

// Record collects the results of one check.
type Record struct {
	checked  bool
	missing  string
	note     string
	findings []report.Finding
	rest     []report.Finding
}

// Checked records that the check examined at least one exchange.
func (r *Record) Checked() { r.checked = true }

// Missing sets the missing prerequisite, such as "no sample is deleted". If
// nothing was checked, it is the skip message.
func (r *Record) Missing(format string, args ...any) { r.missing = fmt.Sprintf(format, args...) }

// NothingAnswered is the skip message of checks that send variants of answered
// reviews.
const NothingAnswered = "the webhook answered no sample"

// WithReview returns a check of one webhook that receives an answered exchange,
// an allowed one if possible. If there is none, the check is skipped.
func WithReview(
	next func(context.Context, *probe.Webhook, *probe.Exchange, *Record),
) func(context.Context, *probe.Webhook, *Record) {
	return func(ctx context.Context, w *probe.Webhook, r *Record) {
		typical := w.AllowedFirst()
		if len(typical) == 0 {
			r.Missing(NothingAnswered)
			return
		}
		next(ctx, w, typical[0], r)
	}
}

// Skip turns a pass into a skip with this message. Findings remain.
func (r *Record) Skip(format string, args ...any) {
	r.checked, r.missing = false, fmt.Sprintf(format, args...)
}

// Note sets a measurement for the result.
func (r *Record) Note(format string, args ...any) { r.note = fmt.Sprintf(format, args...) }

// Fail adds a finding about one exchange. The message must quote values
// completely and as they were sent, so that the data of Secrets can be found
// and hidden. After that, long messages are truncated.
func (r *Record) Fail(x *probe.Exchange, format string, args ...any) {
	r.Add(Finding{Sample: x.Sample, Evidence: []*probe.Exchange{x}}, format, args...)
}

// Finding is a problem that several exchanges show, or none. Without Evidence,
// the message must not quote objects: the evidence is needed to recognize
// Secrets.
type Finding struct {
	// Sample, Paths and Evidence are those of report.Finding.
	Sample   string
	Paths    []string
	Evidence []*probe.Exchange
	// Level is the severity if it is lower than that of the check.
	Level report.Level
}

// Add adds a finding.
func (r *Record) Add(f Finding, format string, args ...any) {
	r.checked = true
	finding := redacted(report.Finding{Sample: f.Sample, Message: fmt.Sprintf(format, args...),
		Paths: f.Paths, Level: f.Level}, f.Evidence)
	if len(r.findings) == maxFindings {
		finding.Evidence = nil
		r.rest = append(r.rest, finding)
		return
	}
	r.findings = append(r.findings, finding)
}

// Result returns the result of a check. webhook is empty for a check of all
// webhooks.
func (r *Record) Result(c *Check, webhook string) report.Result {
	result := report.Result{Check: c.ID, Webhook: webhook, Verdict: report.Pass, Message: r.note,
		Findings: r.findings, More: len(r.rest), Rest: r.rest}
	switch {
	case len(r.findings) > 0:
		result.Verdict = report.Fail
	case !r.checked:
		result.Verdict, result.Message = report.Skip, r.missing
	}
	return result
}

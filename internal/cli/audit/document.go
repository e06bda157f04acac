package audit

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/loops"
	"example.com/gatehouse/internal/auditlog/record"
	"example.com/gatehouse/internal/auditlog/tally"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
)

// Report is the document that `gatehouse audit -o json` prints.
type Report struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind AuditReport.
	metav1.TypeMeta `json:",inline"`
	// Log says what was read.
	Log *auditlog.Stats `json:"log"`
	// Report has the counts.
	*tally.Report `json:",inline"`
	// Loops are the webhooks whose changes do not last, the most frequent first.
	Loops []loops.Loop `json:"loops"`
	// Record says which requests are in the corpus; nil without --record.
	Record *record.Report `json:"record,omitempty"`
	// Remarks say what the log does not show.
	Remarks []string `json:"remarks"`
}

func newReport(stats *auditlog.Stats, counts *tally.Report, found *loops.Finder) *Report {
	r := &Report{
		TypeMeta: metav1.TypeMeta{APIVersion: command.APIVersion, Kind: "AuditReport"},
		Log:      stats, Report: counts, Loops: found.Loops(), Remarks: []string{},
	}
	r.remarkLevels()
	r.remarkBounds(found.Dropped())
	return r
}

func (r *Report) remark(format string, args ...any) {
	r.Remarks = append(r.Remarks, fmt.Sprintf(format, args...))
}

// remarkLevels says what the levels of the events leave out.
func (r *Report) remarkLevels() {
	low := r.Levels[auditv1.LevelMetadata]
	if low > 0 {
		r.remark("%s at the level Metadata: they have no patches and bodies, which the search for loops needs.",
			message.Count(low, "request"))
	}
	if n := r.Levels[auditv1.LevelRequest]; n > 0 {
		r.remark("%s at the level Request: they do not have the object that was stored.",
			message.Count(n, "request"))
	}
	if r.Truncated > 0 {
		r.remark("%s without bodies, because the bodies were too large for the log's backend.",
			message.Count(r.Truncated, "event"))
	}
	if low == r.Requests && r.Requests > 0 {
		r.remark("'gatehouse audit-policy' prints an audit policy that shows more.")
	}
	r.remark("Calls of validating webhooks that allowed the request leave no annotation, nor do" +
		" MutatingAdmissionPolicies and warnings to the client.")
}

// remarkBounds says what was left out to bound the memory.
func (r *Report) remarkBounds(objects int) {
	if n := max(objects, r.Dropped); n > 0 {
		r.remark("%s that were written least recently were dropped to limit memory:"+
			" their counts may start again.", message.Count(n, "object"))
	}
	if r.Uncounted > 0 {
		r.remark("%s too many webhooks, policies and annotations were not counted.",
			message.Count(r.Uncounted, "event of"))
	}
	if r.Log.Late > 0 {
		r.remark("%s arrived too late to be sorted by time.", message.Count(r.Log.Late, "event"))
	}
}

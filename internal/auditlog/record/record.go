package record

import (
	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/history"
	"example.com/gatehouse/internal/auditlog/recent"
)

// Config configures a Recorder.
type Config struct {
	// Write writes an entry of the corpus. Required.
	Write func(*corpus.Entry) error
	// Redact are further paths whose values are hidden. The default is none.
	Redact []explain.Path
}

// Recorder makes entries of events.
type Recorder struct {
	config  Config
	objects *history.Objects
	stored  *stored
	// seen are the audit IDs of the last requests that were recorded: the same log may be
	// read twice, and an API server that another one forwards to logs the same ID.
	seen   *recent.Map[string, struct{}]
	report Report
	left   map[Reason]*Left
}

// maxSeen bounds the audit IDs that are kept.
const maxSeen = 10000

// New returns a Recorder.
func New(c Config) (*Recorder, error) {
	objects, err := history.NewObjects()
	if err != nil {
		return nil, err
	}
	return &Recorder{config: c, objects: objects, stored: newStored(),
		seen: recent.New[string, struct{}](maxSeen), left: map[Reason]*Left{}}, nil
}

// Add records the request of an event, or counts why it is left out. The error is that of
// Config.Write.
func (r *Recorder) Add(e *auditlog.Event) error {
	r.report.Requests++
	reason, err := r.record(e)
	if reason != "" {
		r.leave(reason, e.AuditID)
	}
	r.stored.add(e)
	return err
}

// record records a request. It returns why it is left out; empty if it is not.
func (r *Recorder) record(e *auditlog.Event) (Reason, error) {
	if r.seen.Get(e.AuditID) != nil {
		return Repeated, nil
	}
	d := draft{event: e, objects: r.objects, stored: r.stored}
	response, reason := d.response()
	if reason != "" {
		return reason, nil
	}
	entry, err := corpus.FromResponse(response, corpus.Options{
		Source: corpus.FromAudit, ID: e.AuditID, Origin: e.Position(), Redact: r.config.Redact,
	})
	if err != nil {
		return Invalid, nil
	}
	if err := r.config.Write(entry); err != nil {
		return "", err
	}
	r.count(entry, response, d.assumed)
	return "", nil
}

func (r *Recorder) count(e *corpus.Entry, response *admission.Response, assumed bool) {
	r.seen.Add(e.ID)
	r.report.Recorded++
	for count, is := range map[*int]bool{
		&r.report.Denied: !response.Allowed, &r.report.Redacted: len(e.Redacted) > 0,
		&r.report.Assumed: assumed,
	} {
		if is {
			*count++
		}
	}
}

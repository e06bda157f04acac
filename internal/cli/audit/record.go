package audit

import (
	"fmt"
	"io"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/record"
	"example.com/gatehouse/internal/message"
)

// recording adds requests to the corpus of --record. The nil recording does nothing.
type recording struct {
	recorder *record.Recorder
	writer   *corpus.Writer
}

// startRecording creates the folder of --record; nil without it.
func (o *options) startRecording() (*recording, error) {
	if o.record == "" {
		return nil, nil
	}
	w, err := corpus.Create(o.record)
	if err != nil {
		return nil, &message.InputError{Err: fmt.Errorf("--record: %w", err)}
	}
	r, err := record.New(record.Config{Write: w.Write, Redact: o.hidden})
	return &recording{r, w}, err
}

// add records the request of an event.
func (r *recording) add(e *auditlog.Event) error {
	if r == nil {
		return nil
	}
	return r.wrap(r.recorder.Add(e))
}

// end closes the corpus.
func (r *recording) end() error {
	if r == nil {
		return nil
	}
	return r.wrap(r.writer.Close())
}

func (r *recording) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--record: %w", err)
}

// report returns what was recorded; nil for nothing.
func (r *recording) report() *record.Report {
	if r == nil {
		return nil
	}
	return r.recorder.Report()
}

// writeRecord says what is in the corpus, and why the rest is not.
func (r *Report) writeRecord(out io.Writer) {
	c := r.Record
	if c == nil {
		return
	}
	fmt.Fprintf(out, "\nRecorded %d of %s (%d%%): %d denied, %d redacted\n", c.Recorded,
		message.Count(c.Requests, "request"), 100*c.Recorded/max(c.Requests, 1), c.Denied, c.Redacted)
	if c.Assumed > 0 {
		fmt.Fprintf(out, "Without a resourceVersion, so the old object is assumed to be the last one in"+
			" the log: %d\n", c.Assumed)
	}
	writeTable(out, "NOT RECORDED BECAUSE|REQUESTS|AUDIT ID", c.Left, func(l record.Left) []any {
		return []any{l.Text, l.Requests, l.Example}
	})
}

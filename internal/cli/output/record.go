package output

import (
	"errors"
	"fmt"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// Record returns a printer that adds each visit to a corpus, and prints like
// next. The error says why the folder of the corpus cannot be written.
func Record(next Printer, recording *flags.Recording) (Printer, error) {
	w, err := corpus.Create(recording.Folder)
	if err != nil {
		return nil, err
	}
	options := corpus.Options{Source: corpus.FromRun, Redact: recording.Redact}
	return &recorder{next, w, options}, nil
}

type recorder struct {
	Printer
	writer  *corpus.Writer
	options corpus.Options
}

func (r *recorder) Print(v *session.Result) error {
	e, err := v.Entry(r.options)
	if err == nil {
		err = r.writer.Write(e)
	}
	if err != nil {
		return fmt.Errorf("recording %s: %w", v.Reference(), err)
	}
	return r.Printer.Print(v)
}

func (r *recorder) End() error { return errors.Join(r.Printer.End(), r.writer.Close()) }

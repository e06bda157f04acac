package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"example.com/gatehouse/internal/conformance/baseline"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
)

// readBaseline returns the baseline; nil if there is none, or if it is to be
// written for the first time.
func (o *options) readBaseline() (*baseline.Baseline, error) {
	if o.baseline == "" {
		return nil, nil
	}
	b, err := baseline.Read(o.baseline)
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return b, err
	case o.writeBaseline:
		return nil, nil
	}
	return nil, fmt.Errorf("--baseline %s: the file does not exist: create it with --write-baseline", o.baseline)
}

// applyBaseline marks the findings that the baseline accepts, and notices those
// that are gone. With --write-baseline it writes the file first.
func (o *options) applyBaseline(known *baseline.Baseline, r *report.Report) error {
	if o.writeBaseline {
		known = known.Update(r)
		if err := known.Write(o.baseline); err != nil {
			err = fmt.Errorf("--baseline %s: cannot be written: %w", o.baseline, message.FileError(err))
			return &message.InputError{Err: err}
		}
		message.Notice(o.stderr, "%s: %s accepted", o.baseline,
			message.Count(len(known.Findings), "finding"))
	}
	if known == nil {
		return nil
	}
	for _, f := range known.Apply(r) {
		what := []string{f.Check, f.Webhook, f.Sample, strings.Join(f.Paths, ", ")}
		what = slices.DeleteFunc(what, func(part string) bool { return part == "" })
		message.Notice(o.stderr, "%s: %s: the finding no longer occurs: remove it with --write-baseline", o.baseline,
			strings.Join(what, ": "))
	}
	return nil
}

package explain

import (
	"bytes"
	"fmt"
	"io"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/output"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/report"
)

// printer returns the printer for the view. Notices go to stderr.
func (v *view) printer(colors command.Palette, stdout, stderr io.Writer) output.Printer {
	explained := func(visit *session.Result) *explain.Explanation { return v.explain(visit, stderr) }
	if v.format == tree {
		return &trees{explain: explained, out: stdout, options: explain.TreeOptions{
			Color: colors.On(), Fields: v.field != nil,
			Hints: v.details || v.webhook != "", Details: v.details,
		}}
	}
	return output.Collect(explained, func(items []*explain.Explanation) error {
		text, err := v.encode(output.Document(items))
		if err != nil {
			return fmt.Errorf("printing the explanations: %w", err)
		}
		return command.Write(stdout, text)
	})
}

func (v *view) encode(d *explain.Document) ([]byte, error) {
	switch v.format {
	case flags.JSON:
		return command.Indented(d)
	case flags.YAML:
		return command.YAML(d)
	}
	var page bytes.Buffer
	err := report.Write(&page, d)
	return page.Bytes(), err
}

// explain explains a visit, with a notice on stderr if there is nothing at the
// path of --field.
func (v *view) explain(visit *session.Result, stderr io.Writer) *explain.Explanation {
	e := v.of(visit)
	if v.field != nil && len(e.Fields)+len(e.Removed) == 0 {
		v.noticeMissing(visit, stderr)
	}
	return e
}

// trees prints each explanation at once.
type trees struct {
	explain func(*session.Result) *explain.Explanation
	out     io.Writer
	options explain.TreeOptions
	printed int
}

// Print writes a tree, after an empty line if it is not the first.
func (t *trees) Print(visit *session.Result) error {
	var text bytes.Buffer
	if t.printed > 0 {
		text.WriteByte('\n')
	}
	t.printed++
	if err := t.explain(visit).Tree(&text, t.options); err != nil {
		return fmt.Errorf("printing %s: %w", visit.Reference(), err)
	}
	return command.Write(t.out, text.Bytes())
}

// End does nothing.
func (t *trees) End() error { return nil }

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

// printer returns what prints visits as the view says. Notices go to stderr.
func (v *view) printer(stdout, stderr io.Writer) output.Printer {
	s := &seer{view: v, stderr: stderr}
	if v.format == tree {
		return &trees{seer: s, out: stdout, options: explain.TreeOptions{
			Color: colored(v.color, stdout), Fields: v.field != nil,
		}}
	}
	encode := map[string]func(*explain.Document) ([]byte, error){
		flags.JSON: func(d *explain.Document) ([]byte, error) { return command.Indented(d) },
		flags.YAML: func(d *explain.Document) ([]byte, error) { return command.YAML(d) },
		html: func(d *explain.Document) ([]byte, error) {
			var page bytes.Buffer
			err := report.Write(&page, d)
			return page.Bytes(), err
		},
	}[v.format]
	return &documents{seer: s, out: stdout, encode: encode}
}

// seer explains visits.
type seer struct {
	*view
	stderr io.Writer
}

// see explains a visit, and says so if there is nothing where the user looks.
func (s *seer) see(visit *session.Visit) *explain.Explanation {
	e := s.of(visit)
	if s.field != nil && len(e.Fields)+len(e.Removed) == 0 {
		s.tellNothing(visit)
	}
	return e
}

// trees prints each explanation as soon as it is there.
type trees struct {
	*seer
	out     io.Writer
	options explain.TreeOptions
	printed int
}

// Print writes a tree, after an empty line if it is not the first.
func (t *trees) Print(visit *session.Visit) error {
	var text bytes.Buffer
	if t.printed > 0 {
		text.WriteByte('\n')
	}
	t.printed++
	if err := t.see(visit).Tree(&text, t.options); err != nil {
		return fmt.Errorf("printing %s: %w", visit.Reference(), err)
	}
	return command.Write(t.out, text.Bytes())
}

// End has nothing to do.
func (t *trees) End() error { return nil }

// documents prints one document at the end: half of one is of no use.
type documents struct {
	*seer
	out    io.Writer
	encode func(*explain.Document) ([]byte, error)
	items  []*explain.Explanation
}

// Print keeps an explanation.
func (d *documents) Print(visit *session.Visit) error {
	d.items = append(d.items, d.see(visit))
	return nil
}

// End writes the document.
func (d *documents) End() error {
	text, err := d.encode(output.Document(d.items))
	if err != nil {
		return fmt.Errorf("printing the explanations: %w", err)
	}
	return command.Write(d.out, text)
}

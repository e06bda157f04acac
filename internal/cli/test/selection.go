package test

import (
	"bytes"
	"fmt"
	"io"

	"k8s.io/cli-runtime/pkg/printers"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/suite"
)

// wants reports whether a case is selected.
func (o *options) wants(suite,
	name string) bool {
	return o.selects.MatchString(suite + "/" + name)
}

// chosen returns the selected cases of a suite.
func (o *options) chosen(s *suite.Suite) []*suite.Case { return s.Selected(o.wants) }

// checkSelection rejects an empty selection.
func (o *options) checkSelection(suites []*suite.Suite) error {
	cases, chosen := 0, 0
	for _, s := range suites {
		cases, chosen = cases+len(s.Cases), chosen+len(o.chosen(s))
	}
	if chosen == 0 {
		return fmt.Errorf("--run %q: no case of %d matches", o.run, cases)
	}
	return nil
}

// printList prints the names of the selected cases, and their positions.
func (o *options) printList(suites []*suite.Suite, stdout io.Writer) error {
	var text bytes.Buffer
	w := printers.GetNewTabWriter(&text)
	for _, s := range suites {
		for _, c := range o.chosen(s) {
			fmt.Fprintf(w, "%s\t%s\n", shown(s.Name+"/"+c.Name), position(c.At("")))
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("printing the cases: %w", err)
	}
	return command.Write(stdout, text.Bytes())
}

// caseName returns the name of a case among those of all suites.
func caseName(r *suite.Result) string { return shown(r.Suite.Name + "/" + r.Case.Name) }

// position formats a position as editors and compilers do.
func position(at manifest.Position) string { return fmt.Sprintf("%s:%d", shown(at.File), at.Line) }

// shown escapes a text for a terminal.
func shown(text string) string { return message.Escaped(text) }

// shownLines is shown for a text with lines.
func shownLines(text string) string { return message.Shown(text, "") }

package explain

import (
	"fmt"
	"io"
	"strings"
)

// TreeOptions say how an explanation is written as a tree.
type TreeOptions struct {
	// Color has it written with the escape sequences of terminals.
	Color bool
	// Webhook leaves out all webhooks but those of this name; empty for none.
	Webhook string
	// Short leaves out the evidence, fields, annotations and metrics: one line for each
	// webhook and change is what remains.
	Short bool
}

// String returns the explanation as a tree, for the output of tests.
func (e *Explanation) String() string {
	var text strings.Builder
	_ = e.Tree(&text, TreeOptions{}) // a Builder takes everything
	return text.String()
}

// Tree writes the explanation as a tree for people. What webhooks and objects say is
// escaped, so that it cannot do anything to a terminal, and cut if it is long. Errors are
// those of w.
func (e *Explanation) Tree(w io.Writer, o TreeOptions) error {
	p := &treePrinter{options: o}
	p.twig("", "", e.trunk(&o))
	_, err := io.WriteString(w, p.text.String())
	return err
}

// twig is a line of the tree, with the lines below it.
type twig struct {
	color color
	text  string
	twigs []*twig
}

// add adds a line below and returns it.
func (t *twig) add(c color, format string, args ...any) *twig {
	below := &twig{color: c, text: fmt.Sprintf(format, args...)}
	t.twigs = append(t.twigs, below)
	return below
}

// color is what a line of the tree is about.
type color uint8

const (
	plain color = iota
	good
	bad
	notable
	faint
)

// sequence returns how a terminal is told.
func (c color) sequence() string {
	return [...]string{plain: "", good: "\x1b[32m", bad: "\x1b[31m", notable: "\x1b[33m", faint: "\x1b[2m"}[c]
}

type treePrinter struct {
	options TreeOptions
	text    strings.Builder
}

// twig writes a line and those below it. before is what the line begins with, and below
// what those below it do.
func (p *treePrinter) twig(before, below string, t *twig) {
	p.text.WriteString(before)
	if sequence := t.color.sequence(); p.options.Color && sequence != "" {
		p.text.WriteString(sequence + t.text + "\x1b[0m")
	} else {
		p.text.WriteString(t.text)
	}
	p.text.WriteByte('\n')
	for i, next := range t.twigs {
		if i == len(t.twigs)-1 {
			p.twig(below+"└─ ", below+"   ", next)
		} else {
			p.twig(below+"├─ ", below+"│  ", next)
		}
	}
}

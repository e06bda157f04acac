package explain

import (
	"fmt"
	"io"
	"strings"
)

// TreeOptions say how an explanation is written as a tree. The zero value shows all that
// a tree has room for, without colours.
type TreeOptions struct {
	// Color has it written with the escape sequences of terminals.
	Color bool
	// Short leaves out the evidence, hints, fields, annotations and metrics: a line for
	// each webhook, change and warning is what remains.
	Short bool
	// Fields leaves out everything but who wrote which field, and tells it of all fields:
	// others are those that the author of the request did not write. It is what
	// Explanation.At leaves something of.
	Fields bool
}

// String returns the explanation as a tree, for the output of tests.
func (e *Explanation) String() string {
	var text strings.Builder
	_ = e.Tree(&text, TreeOptions{}) // a Builder takes everything
	return text.String()
}

// Tree writes the explanation as a tree for people. What webhooks and objects say is
// escaped, so that it cannot do anything to a terminal, and is cut if it is long. Bodies
// and the object itself are not in it. Errors are those of w.
func (e *Explanation) Tree(w io.Writer, o TreeOptions) error {
	p := &treePrinter{color: o.Color}
	p.print("", "", e.buildTree(&o))
	_, err := io.WriteString(w, p.text.String())
	return err
}

// twig is a line of the tree, with the lines below it.
type node struct {
	color    color
	text     string
	children []*node
}

// add adds a line below and returns it.
func (n *node) add(c color, format string, args ...any) *node {
	child := &node{color: c, text: fmt.Sprintf(format, args...)}
	n.children = append(n.children, child)
	return child
}

// longestList is how many lines one thing may have below it. Whoever wants to read more
// looks at one webhook or field, or has a program read the JSON.
const maxChildren = 100

// prune cuts what is below to longestList lines.
func (n *node) truncate() {
	if rest := len(n.children) - maxChildren; rest > 0 {
		n.children = n.children[:maxChildren]
		n.add(faint, "and %d more", rest)
	}
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
func (c color) escape() string {
	return [...]string{plain: "", good: "\x1b[32m", bad: "\x1b[31m", notable: "\x1b[33m", faint: "\x1b[2m"}[c]
}

type treePrinter struct {
	color bool
	text  strings.Builder
}

// twig writes a line and those below it. before is what the line begins with, and below
// what those below it do.
func (p *treePrinter) print(before, below string, n *node) {
	p.text.WriteString(before)
	if escape := n.color.escape(); p.color && escape != "" {
		p.text.WriteString(escape + n.text + "\x1b[0m")
	} else {
		p.text.WriteString(n.text)
	}
	p.text.WriteByte('\n')
	for i, next := range n.children {
		if i == len(n.children)-1 {
			p.print(below+"└─ ", below+"   ", next)
		} else {
			p.print(below+"├─ ", below+"│  ", next)
		}
	}
}

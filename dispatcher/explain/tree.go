package explain

import (
	"fmt"
	"io"
	"strings"
)

// TreeOptions configure Tree. The zero value shows calls, near misses and the
// writers of fields, without colours.
type TreeOptions struct {
	// Color adds the escape sequences of terminals.
	Color bool
	// Short omits evidence, hints and fields, and shows one line per webhook,
	// change and warning.
	Short bool
	// Hints shows the evidence and the hint of every webhook that was not
	// called, and the rounds without a call. Otherwise the tree has them only
	// for near misses: webhooks that were not called for a single reason, such
	// as a selector although a rule matches. It cannot be combined with Short.
	Hints bool
	// Details adds audit annotations and metrics. It cannot be combined with
	// Short.
	Details bool
	// Fields shows only the writers of fields, but those of all fields;
	// otherwise the tree omits the fields that the user wrote. Use it with
	// Explanation.ForPath.
	Fields bool
}

// String returns the explanation as a tree, for the output of tests.
func (e *Explanation) String() string {
	var text strings.Builder
	_ = e.Tree(&text, TreeOptions{}) // a Builder returns no errors
	return text.String()
}

// Tree writes the explanation as a tree. Texts from webhooks and objects are
// escaped, so that they cannot control a terminal, and truncated. Bodies and
// the object are omitted. Errors are those of w.
func (e *Explanation) Tree(w io.Writer, o TreeOptions) error {
	p := &treePrinter{color: o.Color}
	p.print("", "", e.buildTree(&o))
	_, err := io.WriteString(w, p.text.String())
	return err
}

// node is a line of the tree with the lines below it.
type node struct {
	color    color
	text     string
	children []*node
}

// add adds a line below n and returns it.
func (n *node) add(c color, format string, args ...any) *node {
	child := &node{color: c, text: fmt.Sprintf(format, args...)}
	n.children = append(n.children, child)
	return child
}

// maxChildren limits the lines below a line. Use ForWebhook, ForPath or the
// JSON form to see more.
const maxChildren = 100

// truncate keeps maxChildren lines below n.
func (n *node) truncate() {
	if rest := len(n.children) - maxChildren; rest > 0 {
		n.children = n.children[:maxChildren]
		n.add(faint, "and %d more", rest)
	}
}

// color is the meaning of a line's colour.
type color uint8

const (
	plain color = iota
	good
	bad
	notable
	faint
)

// escape returns the escape sequence of the colour.
func (c color) escape() string {
	return [...]string{plain: "", good: "\x1b[32m", bad: "\x1b[31m", notable: "\x1b[33m",
		faint: "\x1b[2m"}[c]
}

type treePrinter struct {
	color bool
	text  strings.Builder
}

// print writes a line and those below it, with their prefixes.
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

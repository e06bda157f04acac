package manifest

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// Comment is a line of a comment in YAML.
type Comment struct {
	// Text begins with #.
	Text string
	// Line is the line of the comment, from 1. If a blank line follows the comment, it is that
	// of the field before, or that of the object.
	Line int
	// Field is what the comment stands above or behind, as for Document.Wrap, and Of its
	// line. A comment above the first field is about the object: Field is empty. Of is 0 if
	// the comment stands above nothing.
	Field string
	Of    int
}

// Comments returns the comments of the document, in the order of its fields. JSON has none,
// and those in front of the items of a large list, which is read item by item, are lost.
func (d *Document) Comments() []Comment {
	if d.outline == nil {
		return nil
	}
	c := &commentReader{before: d.outline.before}
	root := d.outline.node
	c.add(root.HeadComment, Comment{Line: root.Line, Of: root.Line}, nil, 0)
	c.read(root, nil)
	return c.found
}

// commentReader collects the comments of a syntax tree.
type commentReader struct {
	// before is how many lines of the file precede the tree.
	before int
	found  []Comment
}

// read reads the comments in the value of a field.
func (c *commentReader) read(n *yaml.Node, at *location) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			field := at.key(n.Content[i].Value)
			above := field
			if i == 0 && at == nil {
				above = nil
			}
			c.node(n.Content[i], above, field)
			c.node(n.Content[i+1], field, field)
			c.read(n.Content[i+1], field)
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			field := at.index(i)
			c.node(item, field, field)
			c.read(item, field)
		}
	}
}

// node adds the comments above a node, which are about one field, and those behind it.
func (c *commentReader) node(n *yaml.Node, above, field *location) {
	c.add(n.HeadComment, Comment{Line: n.Line - strings.Count(n.HeadComment, "\n") - 1, Of: n.Line}, above, 1)
	c.add(n.LineComment, Comment{Line: n.Line, Of: n.Line}, field, 0)
	c.add(n.FootComment, Comment{Line: n.Line}, field, 0)
}

// add adds the lines of a comment about a field. The line of the first is known, and each is
// step below the one before.
func (c *commentReader) add(text string, first Comment, field *location, step int) {
	if text == "" {
		return
	}
	first.Field = field.path()
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "#") {
			found := first
			found.Text, found.Line = line, c.before+first.Line
			if first.Of > 0 {
				found.Of += c.before
			}
			c.found = append(c.found, found)
		}
		first.Line += step
	}
}

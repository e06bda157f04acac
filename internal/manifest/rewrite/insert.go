package rewrite

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// step is the indentation of an object in a field.
const step = 2

// fill writes the content of a field in block style that has none, with {}, [] or
// nothing.
func (e *editor) fill(key, value *yaml.Node, want any) error {
	after, err := e.end(key)
	if err != nil || value.Anchor != "" || value.Kind == yaml.AliasNode {
		return errAnchor
	}
	end, err := e.endOfField(key, value)
	if err != nil {
		return err
	}
	after += len(":")
	if strings.ContainsRune(string(e.text[after:end]), '#') {
		return errShape
	}
	e.splice(after, end, "")
	indent := key.Column - 1
	if _, list := want.([]any); !list {
		indent += step
	}
	return e.addLines(end, want, indent)
}

// addLines adds lines with a value after the line of an offset.
func (e *editor) addLines(after int, value any, indent int) error {
	text, err := block(value, indent)
	if err != nil {
		return err
	}
	end := e.lineEnd(after)
	if end == len(e.text) {
		e.splice(end, end, e.lineBreaks("\n"+strings.TrimSuffix(text, "\n")))
		return nil
	}
	e.splice(end+1, end+1, e.lineBreaks(text))
	return nil
}

// lineBreaks returns text with the line breaks of the file.
func (e *editor) lineBreaks(text string) string {
	if bytes.HasSuffix(e.text[:e.lineEnd(0)], []byte("\r")) {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// addField adds a field at the end of an object; first says that it is the first of
// those that are added.
func (e *editor) addField(n *yaml.Node, name string, value any, first bool) error {
	if isFlow(n) {
		return e.addFlow(n, name, value, first)
	}
	end, err := e.end(n)
	if err != nil {
		return err
	}
	return e.addLines(end, map[string]any{name: value}, n.Content[0].Column-1)
}

// addItem adds an item at the end of a list.
func (e *editor) addItem(n *yaml.Node, item any, first bool) error {
	if isFlow(n) {
		return e.addFlow(n, "", item, first)
	}
	end, err := e.end(n)
	if err != nil {
		return err
	}
	return e.addLines(end, []any{item}, n.Column-1)
}

// addFlow adds a field, or an item if name is empty, to what is in brackets: on a line
// of its own if the last one has its own.
func (e *editor) addFlow(n *yaml.Node, name string, value any, first bool) error {
	if len(n.Content) == 0 {
		end, err := e.end(n)
		if err != nil {
			return err
		}
		text, err := flowText(n, name, value, nil)
		if !first {
			text = ", " + text
		}
		e.splice(end-len("}"), end-len("}"), text)
		return err
	}
	begin, end, err := e.last(n)
	if err != nil {
		return err
	}
	before := ", "
	prefix := e.text[e.lineStart(begin):begin]
	if e.lineStart(begin) > e.offset(n) && len(bytes.TrimLeft(prefix, " \t")) == 0 {
		before = ",\n" + string(prefix)
	} else {
		prefix = nil
	}
	text, err := flowText(n, name, value, prefix)
	e.splice(end, end, e.lineBreaks(before+text))
	return err
}

// last returns where the last field or item of a node begins and ends.
func (e *editor) last(n *yaml.Node) (begin, end int, err error) {
	value := n.Content[len(n.Content)-1]
	if n.Kind == yaml.SequenceNode {
		end, err = e.end(value)
		return e.offset(value), end, err
	}
	key := n.Content[len(n.Content)-2]
	end, err = e.endOfField(key, value)
	return e.offset(key), end, err
}

// flowText returns a field or an item as JSON: on several lines, of which all but the
// first have a prefix, or on one if that is nil. The name has quotes unless those of the
// other fields have none.
func flowText(n *yaml.Node, name string, value any, prefix []byte) (string, error) {
	text, err := inline(value)
	if prefix != nil {
		text, err = indented(value, string(prefix))
	}
	switch {
	case err != nil || n.Kind == yaml.SequenceNode:
		return text, err
	case len(n.Content) > 0 && n.Content[0].Style == 0:
		return name + ": " + text, nil
	}
	quoted, err := inline(name)
	return quoted + ": " + text, err
}

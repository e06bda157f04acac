package rewrite

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"example.com/gatehouse/internal/manifest"
)

// editor collects the splices of one document.
type editor struct {
	text []byte
	// starts are the offsets of the lines of the document: starts[0] is that of line 1.
	starts  []int
	splices []splice
}

// splicesOf returns the splices that make want of a document. The error names the field.
func splicesOf(text []byte, d *manifest.Document, old, want map[string]any) ([]splice, error) {
	node, before := d.Source()
	if node == nil {
		return nil, d.Wrap("", errShape)
	}
	e := &editor{text: text, starts: lineStarts(text)[before:]}
	if err := e.change(node, old, want, ""); err != nil {
		var named *fieldError
		if errors.As(err, &named) {
			return nil, d.Wrap(named.field, err)
		}
		return nil, d.Wrap("", err)
	}
	return e.splices, nil
}

// fieldError is why a field cannot be changed.
type fieldError struct {
	field string
	err   error
}

func (f *fieldError) Error() string { return fmt.Sprintf("%s: %v", f.field, f.err) }

var (
	errAnchor  = errors.New("cannot be changed: it is an anchor or alias, which other parts of the file share")
	errRemoval = errors.New("cannot be changed: something would have to be removed")
)

// change makes want of the value of a node.
func (e *editor) change(n *yaml.Node, old, want any, path string) error {
	switch {
	case reflect.DeepEqual(old, want):
		return nil
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return &fieldError{path, errAnchor}
	}
	switch want := want.(type) {
	case map[string]any:
		if before, ok := old.(map[string]any); ok {
			return e.changeMap(n, before, want, path)
		}
	case []any:
		if before, ok := old.([]any); ok {
			return e.changeList(n, before, want, path)
		}
	default:
		if n.Kind == yaml.ScalarNode {
			return e.changeScalar(n, want, path)
		}
	}
	return &fieldError{path, errShape}
}

func (e *editor) changeMap(n *yaml.Node, old, want map[string]any, path string) error {
	fields := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		fields[n.Content[i].Value] = i
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		field := join(path, name)
		value, kept := want[name]
		i, written := fields[name]
		switch {
		case !kept:
			return &fieldError{field, errRemoval}
		case reflect.DeepEqual(old[name], value):
			continue
		case !written:
			return &fieldError{field, errAnchor} // a merge key has it
		case isFlow(n) || !isEmpty(old[name]) || isScalar(value):
			if err := e.change(n.Content[i+1], old[name], value, field); err != nil {
				return err
			}
		default:
			if err := e.fill(n.Content[i], n.Content[i+1], value); err != nil {
				return &fieldError{field, err}
			}
		}
	}
	var added []string
	for name := range want {
		if _, known := old[name]; !known {
			added = append(added, name)
		}
	}
	slices.Sort(added)
	for i, name := range added {
		if err := e.addField(n, name, want[name], i == 0); err != nil {
			return &fieldError{join(path, name), err}
		}
	}
	return nil
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

func (e *editor) changeList(n *yaml.Node, old, want []any, path string) error {
	if len(want) < len(old) {
		return &fieldError{path, errRemoval}
	}
	for i := range old {
		if err := e.change(n.Content[i], old[i], want[i], fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	for i, item := range want[len(old):] {
		if err := e.addItem(n, item, i == 0); err != nil {
			return &fieldError{path, err}
		}
	}
	return nil
}

func (e *editor) changeScalar(n *yaml.Node, want any, path string) error {
	from := e.offset(n)
	to, err := e.end(n)
	if err != nil || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return &fieldError{path, errShape}
	}
	text, err := scalar(want, n.Style&yaml.DoubleQuotedStyle != 0)
	e.splice(from, to, text)
	return err
}

func (e *editor) splice(from, to int, text string) {
	e.splices = append(e.splices, splice{from, to, text})
}

func isFlow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

func isScalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// isEmpty reports whether a value is null, or an object or a list without content.
func isEmpty(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return value == nil
}

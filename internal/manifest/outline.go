package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// outline finds the line of each field of a document. It is the syntax tree of
// the document. Aliases are not expanded, so that its size is that of the text.
// A nil outline finds nothing.
//
// The values come from another parser: yaml.v3 reads YAML 1.2, in which "yes"
// is a string, and kubectl reads YAML 1.1, in which it is true.
type outline struct {
	node *yaml.Node
	// before is how many lines of the file precede the text.
	before int
}

// newOutline parses one YAML or JSON document. Its errors carry the line in
// the file where it is known, and 0 otherwise.
func newOutline(text []byte, before int) (*outline, int, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var root yaml.Node
	if err := decoder.Decode(&root); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, 0, nil
		}
		line, err := locate(err, before)
		return nil, line, err
	}
	// The values come from a parser that stops silently after one document.
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, 0, errors.New("a second document begins without a separator line (---) that ends in a line feed")
	}
	node := root.Content[0]
	node.HeadComment = root.HeadComment // the tree is that of the object
	return &outline{node: node, before: before}, 0, nil
}

// locate removes the line from a YAML parser's message and returns it. The
// parser counts from the beginning of the piece.
func locate(err error, before int) (int, error) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, text, _ := strings.Cut(rest, ": ")
		if n, convErr := strconv.Atoi(number); convErr == nil {
			line, message = before+n, text
		}
	}
	return line, errors.New("invalid YAML: " + redact(message))
}

// quoted matches the parts of the text that a YAML parser quotes, in quotation
// marks of two kinds. keys matches the end of a message about the key of a map,
// which has key and value as Go prints them.
var (
	quoted = regexp.MustCompile("'[^']*'|(?s:`.*`)")
	keys   = regexp.MustCompile("(?s)(map key|, key): .*")
)

// redact removes values from a YAML parser's message, because they may be
// secrets: a password that begins with an asterisk is an alias. Quoted syntax
// stays.
func redact(message string) string {
	message = keys.ReplaceAllString(message, "$1: (…)")
	return quoted.ReplaceAllStringFunc(message, func(found string) string {
		if len(found) <= len("'---'") && !strings.ContainsFunc(found, unicode.IsLetter) {
			return found
		}
		return "(…)"
	})
}

// line returns the line of a field, or of the innermost object around it that
// exists, or 0.
func (o *outline) line(field string) int {
	if o == nil {
		return 0
	}
	line, node := o.node.Line, o.node
	for node != nil && field != "" {
		key, value, rest := step(node, field)
		if key == nil {
			break
		}
		line, node, field = key.Line, value, rest
	}
	return o.before + line
}

// at returns the outline of a field, nil if it cannot be found.
func (o *outline) at(field string) *outline {
	if o == nil {
		return nil
	}
	node := o.node
	for node != nil && field != "" {
		_, node, field = step(node, field)
	}
	if node == nil {
		return nil
	}
	return &outline{node: node, before: o.before}
}

// step goes one key or index down the tree. It returns the node of the key, its
// value, and the rest of the path.
func step(node *yaml.Node, field string) (key, value *yaml.Node, rest string) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if index, after, ok := strings.Cut(strings.TrimPrefix(field, "["), "]"); ok && field[0] == '[' {
		i, err := strconv.Atoi(index)
		if err != nil || node.Kind != yaml.SequenceNode || i < 0 || i >= len(node.Content) {
			return nil, nil, ""
		}
		return node.Content[i], node.Content[i], strings.TrimPrefix(after, ".")
	}
	if node.Kind != yaml.MappingNode {
		return nil, nil, ""
	}
	return member(node, field)
}

// member finds the longest key that the path begins with, because keys such as
// "app.kubernetes.io/name" contain the separator. Of duplicate keys it returns
// the last.
func member(node *yaml.Node, field string) (key, value *yaml.Node, rest string) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		k := node.Content[i]
		after, ok := strings.CutPrefix(field, k.Value)
		if !ok || k.Value == "" || (after != "" && after[0] != '.' && after[0] != '[') {
			continue
		}
		if key == nil || len(k.Value) >= len(key.Value) {
			key, value, rest = k, node.Content[i+1], strings.TrimPrefix(after, ".")
		}
	}
	return key, value, rest
}

// duplicate returns the path of the first key that a mapping has twice, or "".
// Aliases are not followed: the value is checked at its anchor.
func duplicate(node *yaml.Node) string {
	switch node.Kind {
	case yaml.SequenceNode:
		for i, item := range node.Content {
			if found := duplicate(item); found != "" {
				return join(fmt.Sprintf("[%d]", i), found)
			}
		}
	case yaml.MappingNode:
		return duplicateKey(node)
	}
	return ""
}

func duplicateKey(node *yaml.Node) string {
	seen := make(map[string]bool, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		if key.Kind == yaml.ScalarNode && seen[key.Value] {
			return key.Value
		}
		seen[key.Value] = true
		if found := duplicate(node.Content[i+1]); found != "" {
			return join(key.Value, found)
		}
	}
	return ""
}

// location is where a node is in a document. Its path is only made when it is needed: the
// paths of all items of a list take time that is quadratic if the key of the list is long.
type location struct {
	parent *location // nil for the document
	step   string
}

func (l *location) path() string {
	if l == nil {
		return ""
	}
	return join(l.parent.path(), l.step)
}

func (l *location) key(name string) *location { return &location{l, name} }

func (l *location) index(i int) *location { return &location{l, fmt.Sprintf("[%d]", i)} }

// join appends a path to the path of the object that it starts from.
func join(path, rest string) string {
	if path == "" || rest == "" || rest[0] == '[' {
		return path + rest
	}
	return path + "." + rest
}

package snapshot

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// encode returns an object as a document of YAML, with sorted fields. Lines are not
// wrapped, so that a change of a CEL expression is a change of one line.
func encode(object map[string]any) ([]byte, error) {
	root, err := node(object)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.WriteString("---\n")
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(root); err != nil {
		return nil, err
	}
	return text.Bytes(), encoder.Close()
}

// node returns a value as a node of YAML. It chooses the style of strings: the encoder's
// own choice cannot be read again for all strings.
func node(value any) (*yaml.Node, error) {
	switch v := value.(type) {
	case string:
		return stringNode(v), nil
	case bool: // these two are quicker than Encode
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v)}, nil
	case int64:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(v, 10)}, nil
	case map[string]any:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if err := appendNode(n, v[key], stringNode(key)); err != nil {
				return nil, err
			}
		}
		return n, nil
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range v {
			if err := appendNode(n, item); err != nil {
				return nil, err
			}
		}
		return n, nil
	}
	n := &yaml.Node{}
	return n, n.Encode(value)
}

// appendNode appends a value to a node, and before it a key if there is one.
func appendNode(to *yaml.Node, value any, key ...*yaml.Node) error {
	n, err := node(value)
	to.Content = append(append(to.Content, key...), n)
	return err
}

func stringNode(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	switch {
	case isBlock(text):
		n.Style = yaml.LiteralStyle
	case !isPlain(text):
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// isPlain reports whether a text is a string to every version of YAML without quotes.
func isPlain(text string) bool {
	if text == "" || !strings.Contains("/_($", text[:1]) && !isLetter(text[0]) {
		return false
	}
	return !slices.Contains(words, strings.ToLower(text)) && !strings.ContainsFunc(text, isSpecial) &&
		!strings.Contains(text, ": ") && !strings.Contains(text, " #") && strings.TrimRight(text, ": ") == text
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// words are no strings to some version of YAML.
var words = []string{"false", "n", "no", "null", "off", "on", "true", "y", "yes"}

// isBlock reports whether a text can be read as a block of lines, of which the first one
// says how far all are indented.
func isBlock(text string) bool {
	lines, last := strings.CutSuffix(text, "\n")
	if !last && !strings.Contains(text, "\n") || strings.HasSuffix(lines, "\n") {
		return false
	}
	for line := range strings.SplitSeq(lines, "\n") {
		if strings.ContainsFunc(line, isSpecial) || strings.TrimRight(line, " ") != line {
			return false
		}
	}
	return lines != "" && lines[0] != ' ' && lines[0] != '\n'
}

// isSpecial reports whether a character has to be escaped, or has a meaning for parsers
// of YAML.
func isSpecial(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }

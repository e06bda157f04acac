package rewrite

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// lineStarts returns the offsets of the lines of a text. A byte order mark is no part
// of its line.
func lineStarts(text []byte) []int {
	var starts []int
	for at := 0; ; {
		start := at
		if bytes.HasPrefix(text[at:], []byte("\ufeff")) {
			start += len("\ufeff")
		}
		starts = append(starts, start)
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return starts
		}
		at += n + 1
	}
}

// offset returns where a node begins. Columns count characters.
func (e *editor) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(e.starts) {
		return len(e.text) // verify finds out
	}
	at := e.starts[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(e.text[at:])
		at += size
	}
	return at
}

// end returns where the text of a node ends.
func (e *editor) end(n *yaml.Node) (int, error) {
	at := e.offset(n)
	switch {
	case n.Kind == yaml.AliasNode:
		return at + len("*") + len(n.Value), nil
	case n.Kind != yaml.ScalarNode && isFlow(n):
		return e.endOfFlow(at)
	case n.Kind != yaml.ScalarNode:
		_, end, err := e.last(n)
		return end, err
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return e.endOfBlock(at), nil
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		return e.endOfQuotes(at)
	}
	return e.endOfPlain(at, n.Value)
}

// endOfField returns where a field ends: with its key, if it has no value.
func (e *editor) endOfField(key, value *yaml.Node) (int, error) {
	if !isAbsent(value) {
		return e.end(value)
	}
	at, err := e.end(key)
	if err != nil || !bytes.HasPrefix(e.text[at:], []byte(":")) {
		return 0, errShape
	}
	return at + len(":"), nil
}

// isAbsent reports whether a value is null because nothing is written.
func isAbsent(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null" && n.Value == ""
}

// endOfPlain finds the words of a scalar without quotes, which may be on several lines.
func (e *editor) endOfPlain(at int, value string) (int, error) {
	for i, word := range strings.Fields(value) {
		if i > 0 {
			at += len(e.text[at:]) - len(bytes.TrimLeft(e.text[at:], " \t\r\n"))
		}
		if !bytes.HasPrefix(e.text[at:], []byte(word)) {
			return 0, errShape
		}
		at += len(word)
	}
	return at, nil
}

// endOfQuotes returns where a scalar in quotes ends. A quote within single quotes is
// written twice, so that it looks like the end of a scalar and the beginning of another.
func (e *editor) endOfQuotes(at int) (int, error) {
	if at >= len(e.text) || e.text[at] != '"' && e.text[at] != '\'' {
		return 0, errShape
	}
	quote := e.text[at]
	for i := at + 1; i < len(e.text); i++ {
		switch {
		case e.text[i] == '\\' && quote == '"':
			i++
		case e.text[i] != quote:
		case quote == '\'' && bytes.HasPrefix(e.text[i+1:], []byte("'")):
			i++
		default:
			return i + 1, nil
		}
	}
	return 0, errShape
}

// endOfFlow returns where an object or list in brackets ends.
func (e *editor) endOfFlow(at int) (int, error) {
	depth := 0
	for i := at; i < len(e.text); i++ {
		switch c := e.text[i]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1, nil
			}
		case depth == 0:
			return 0, errShape
		case (c == '"' || c == '\'') && bytes.IndexByte([]byte(" \t\r\n,:[{"), e.text[i-1]) >= 0:
			end, err := e.endOfQuotes(i)
			if err != nil {
				return 0, err
			}
			i = end - 1
		case c == '#' && (e.text[i-1] == ' ' || e.text[i-1] == '\t'):
			i = e.lineEnd(i) - 1
		}
	}
	return 0, errShape
}

// endOfBlock returns where a scalar after | or > ends: before the first line with less
// indentation than its first one.
func (e *editor) endOfBlock(at int) int {
	end, indent := e.lineEnd(at), -1
	for next := end + 1; next < len(e.text); next = e.lineEnd(next) + 1 {
		line := e.text[next:e.lineEnd(next)]
		content := bytes.TrimLeft(line, " ")
		if len(bytes.TrimSpace(content)) == 0 {
			continue
		}
		if indent < 0 {
			indent = len(line) - len(content)
		}
		if indent == 0 || len(line)-len(content) < indent {
			break
		}
		end = e.lineEnd(next)
	}
	return end
}

// lineEnd returns the offset of the line break after an offset, or of the end.
func (e *editor) lineEnd(at int) int {
	if n := bytes.IndexByte(e.text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(e.text)
}

// lineStart returns where the line of an offset begins.
func (e *editor) lineStart(at int) int { return bytes.LastIndexByte(e.text[:at], '\n') + 1 }

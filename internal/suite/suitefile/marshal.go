package suitefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
	manifestyaml "sigs.k8s.io/yaml"
)

// Marshal encodes a suite as YAML. The fields of the format are in its order,
// those of objects in theirs, except that apiVersion, kind, name, namespace and
// metadata come first and status last. apiVersion and kind of the suite are
// filled in.
func Marshal(t *AdmissionTest) ([]byte, error) {
	file := *t
	file.APIVersion, file.Kind = kind().ToAPIVersionAndKind()
	text, err := json.Marshal(&file)
	if err != nil {
		return nil, fmt.Errorf("write suite %q: %w", t.Name, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	node, err := nodeOf(decoder)
	if err != nil {
		return nil, fmt.Errorf("write suite %q: %w", t.Name, err)
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := errors.Join(encoder.Encode(node), encoder.Close()); err != nil {
		return nil, fmt.Errorf("write suite %q: %w", t.Name, err)
	}
	return b.Bytes(), nil
}

// nodeOf returns the YAML node of the next JSON value.
func nodeOf(decoder *json.Decoder) (*yaml.Node, error) {
	token, err := decoder.Token()
	switch token {
	case json.Delim('['):
		return listOf(decoder)
	case json.Delim('{'):
		return mapOf(decoder)
	}
	if err != nil {
		return nil, err
	}
	text, isText := token.(string)
	if isText {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: styleOf(text)}, nil
	}
	if token == nil {
		token = "null"
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(token)}, nil
}

// styleOf returns a style with which a string is decoded unchanged, even by the
// rules of YAML 1.1.
func styleOf(text string) yaml.Style {
	lines := strings.Contains(text, "\n")
	switch {
	case strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }):
		return yaml.DoubleQuotedStyle
	case lines && (strings.ContainsAny(text[:1], " \n") || strings.Contains(text, " \n")):
		return yaml.DoubleQuotedStyle
	case lines:
		return yaml.LiteralStyle
	case plain(text):
		return 0
	default:
		return yaml.SingleQuotedStyle
	}
}

// plain reports whether a one-line string needs no quotes.
func plain(text string) bool {
	var value any
	err := manifestyaml.Unmarshal([]byte(text), &value)
	return err == nil && value == any(text) && text != "<<"
}

func listOf(decoder *json.Decoder) (*yaml.Node, error) {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for decoder.More() {
		item, err := nodeOf(decoder)
		if err != nil {
			return nil, err
		}
		list.Content = append(list.Content, item)
	}
	return list, readClosingBracket(decoder)
}

func mapOf(decoder *json.Decoder) (*yaml.Node, error) {
	var fields [][]*yaml.Node
	for decoder.More() {
		key, err := nodeOf(decoder)
		if err != nil {
			return nil, err
		}
		value, err := nodeOf(decoder)
		if err != nil {
			return nil, err
		}
		fields = append(fields, []*yaml.Node{key, value})
	}
	slices.SortStableFunc(
		fields, func(a, b []*yaml.Node) int { return rank(a[0].Value) - rank(b[0].Value) })
	return &yaml.Node{
			Kind:    yaml.MappingNode,
			Content: slices.Concat(fields...),
		}, readClosingBracket(
			decoder,
		)
}

// readClosingBracket reads a closing bracket.
func readClosingBracket(decoder *json.Decoder) error {
	_, err := decoder.Token()
	return err
}

// rank is the position of a field; most fields share one rank, and keep their
// order.
func rank(key string) int {
	const none = 5
	if key == "status" {
		return none + 1
	}
	if at := slices.Index(
		[]string{"apiVersion", "kind", "name", "namespace", "metadata"}, key); at >= 0 {
		return at
	}
	return none
}

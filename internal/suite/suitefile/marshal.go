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

// Marshal writes a suite down in YAML, in the order in which people write: the fields of
// the format are in its order, and those of objects as they are, but with apiVersion, kind,
// name, namespace and metadata before all others, and status behind them. apiVersion and
// kind of the suite are filled in.
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

// nodeOf makes a YAML node of the next JSON value.
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

// styleOf returns how a text has to be written so that it is read as the same: that nobody
// takes it for something else, not even by the rules of YAML 1.1, and nothing of it is lost.
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

// plain reports whether a text of one line means itself without quotes.
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
	return list, closed(decoder)
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
	slices.SortStableFunc(fields, func(a, b []*yaml.Node) int { return rank(a[0].Value) - rank(b[0].Value) })
	return &yaml.Node{Kind: yaml.MappingNode, Content: slices.Concat(fields...)}, closed(decoder)
}

// closed reads the bracket that ends a list or a map.
func closed(decoder *json.Decoder) error {
	_, err := decoder.Token()
	return err
}

// rank says how far ahead a field stands; most have no rank, and stay in their order.
func rank(key string) int {
	const none = 5
	if key == "status" {
		return none + 1
	}
	if at := slices.Index([]string{"apiVersion", "kind", "name", "namespace", "metadata"}, key); at >= 0 {
		return at
	}
	return none
}

package rewrite

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// scalar returns a scalar as text on one line.
func scalar(value any, quoted bool) (string, error) {
	text, err := inline(value)
	if err != nil || quoted {
		return text, err
	}
	plain, err := yaml.Marshal(value)
	if short := strings.TrimSpace(string(plain)); err == nil && !strings.ContainsAny(short, "\n,[]{}|>") {
		return short, nil
	}
	return text, err
}

// block returns a value in block style, with all lines indented.
func block(value any, indent int) (string, error) {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text) // it does not break long lines
	encoder.SetIndent(step)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	var out strings.Builder
	for line := range strings.Lines(text.String()) {
		out.WriteString(strings.Repeat(" ", indent) + line)
	}
	return out.String(), nil
}

var (
	afterComma = regexp.MustCompile(`,\n *`)
	atBracket  = regexp.MustCompile(`\n *`)
)

// inline returns a value as JSON on one line, with blanks after commas and colons.
func inline(value any) (string, error) {
	text, err := indented(value, "")
	return atBracket.ReplaceAllString(afterComma.ReplaceAllString(text, ", "), ""), err
}

// indented returns a value as JSON on several lines, of which all but the first have a
// prefix.
func indented(value any, prefix string) (string, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(prefix, "  ")
	err := encoder.Encode(value)
	return strings.TrimSuffix(out.String(), "\n"), err
}

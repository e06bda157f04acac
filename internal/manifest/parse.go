package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"sigs.k8s.io/yaml"
)

// value is one object, or what should be one, as JSON.
type value struct {
	json []byte
	// text is the source of the value, for an outline; before is the number of
	// lines of the file that precede it.
	text    []byte
	before  int
	outline *outline
	// line is where it starts.
	line int
}

// parse turns a piece into values, without those that are null. If there is an
// error, it returns its line, or 0, and the values before it.
//
// JSON is tried first, because YAML reads some JSON differently or not at all
// (surrogate pairs, several values in a row). When both fail, the message is
// that of the format that the input seems to be in.
func parse(file string, p piece) ([]value, int, error) {
	if p.invalid > 0 {
		return nil, p.invalid, errors.New("the text is not UTF-8")
	}
	jsonFile := filepath.Ext(file) == ".json"
	if !jsonFile && !bytes.HasPrefix(bytes.TrimLeft(p.content, " \t\r\n"), []byte("{")) {
		return parseYAML(p)
	}
	values, line, err := parseJSON(p)
	if err == nil || jsonFile {
		return values, line, err
	}
	fromYAML, yamlLine, yamlErr := parseYAML(p)
	if yamlErr != nil && len(values) > 0 {
		return values, line, err
	}
	return fromYAML, yamlLine, yamlErr
}

// parseJSON returns the JSON values that stand in a row, and those before the
// error if there is one.
func parseJSON(p piece) ([]value, int, error) {
	decoder := json.NewDecoder(bytes.NewReader(p.content))
	var values []value
	// count goes over the input once, also in a file of many small objects.
	counted, line := 0, p.first
	count := func(to int) int {
		line += bytes.Count(p.content[counted:to], []byte("\n"))
		counted = to
		return line
	}
	for {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return values, 0, nil
		}
		if err != nil {
			return values, count(
					max(counted, syntaxOffset(p.content, err)),
				), fmt.Errorf(
					"invalid JSON: %w",
					err,
				)
		}
		end := int(decoder.InputOffset())
		start := count(end - len(raw))
		if isNull(raw) {
			continue
		}
		values = append(
			values, value{json: raw, text: p.content[end-len(raw) : end], before: start - 1, line: start})
	}
}

// parseYAML returns the one value of a YAML document.
func parseYAML(p piece) ([]value, int, error) {
	if bytes.HasPrefix(bytes.TrimLeft(p.content, " \t\r\n"), []byte("%")) {
		return nil, 0, errors.New("YAML directives (%YAML, %TAG) are not supported")
	}
	outline, line, err := newOutline(p.content, p.first-1)
	if err != nil {
		return nil, line, err
	}
	if outline == nil {
		return nil, 0, nil
	}
	converted, err := yaml.YAMLToJSON(p.content)
	if err != nil {
		line, err := locate(err, p.first-1)
		return nil, line, err
	}
	if isNull(converted) {
		return nil, 0, nil
	}
	converted, err = writeDuplicates(outline.node, converted)
	if err != nil {
		return nil, outline.line(duplicate(outline.node)), err
	}
	return []value{
		{json: converted, text: p.content, before: p.first - 1, outline: outline, line: p.start},
	}, 0, nil
}

func isNull(raw []byte) bool { return bytes.Equal(bytes.TrimSpace(raw), []byte("null")) }

// syntaxOffset returns the offset of a JSON syntax error: at a character, or at
// the end of the text.
func syntaxOffset(text []byte, err error) int {
	end := len(bytes.TrimRight(text, " \t\r\n"))
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		// The offset is the number of bytes read, the bad one included.
		return min(end, int(syntax.Offset)-1)
	}
	return end
}

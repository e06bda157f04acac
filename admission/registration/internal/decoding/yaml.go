package decoding

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

// toJSON returns data as JSON, and an error for duplicate keys if data is YAML,
// because the JSON does not have them any more.
func toJSON(data []byte) (text []byte, repeated []error, err error) {
	if json.Valid(data) {
		return data, nil, nil
	}
	if err := single(data); err != nil {
		return nil, nil, err
	}
	text, err = yaml.YAMLToJSON(data)
	if err != nil {
		return nil, nil, err
	}
	if _, err := yaml.YAMLToJSONStrict(data); err != nil {
		repeated = append(repeated, err)
	}
	return text, repeated, nil
}

// single returns an error for a second document, which the parser that makes
// the JSON would silently drop.
func single(data []byte) error {
	decoder := yamlv3.NewDecoder(bytes.NewReader(data))
	var document yamlv3.Node
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := decoder.Decode(&document); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one YAML document")
	}
	return nil
}

// warningsOf returns one warning for each field. The YAML parser packs several
// into one error, from which API servers unpack them in the same way.
func warningsOf(violations []error) []string {
	var warnings []string
	for _, v := range violations {
		text := strings.TrimPrefix(v.Error(), "error converting YAML to JSON: ")
		lines, packed := strings.CutPrefix(text, "yaml: unmarshal errors:\n")
		if !packed {
			warnings = append(warnings, v.Error())
			continue
		}
		for line := range strings.SplitSeq(lines, "\n") {
			warnings = append(warnings, strings.TrimSpace(line))
		}
	}
	return warnings
}

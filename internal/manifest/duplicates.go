package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

// writeDuplicates writes the duplicate keys of a YAML mapping into the JSON
// that was made from it, so that decoders find them as in a JSON file. The last
// value counts; the others become null. An error is about a duplicate that has
// no counterpart in the JSON, because YAML 1.1 reads its key as something else.
func writeDuplicates(node *yaml.Node, converted []byte) ([]byte, error) {
	if duplicate(node) == "" {
		return converted, nil
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(converted))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	w := &objectWriter{}
	if err := w.value(node, value, nil); err != nil {
		return nil, err
	}
	return w.Bytes(), nil
}

// objectWriter writes JSON objects whose keys need not be unique.
type objectWriter struct{ bytes.Buffer }

// value writes the value of a node, which is at a location in the document.
func (w *objectWriter) value(node *yaml.Node, value any, at *location) error {
	switch v := value.(type) {
	case []any:
		if node.Kind == yaml.SequenceNode && len(v) == len(node.Content) {
			return w.items(node, v, at)
		}
	case map[string]any:
		if node.Kind == yaml.MappingNode {
			return w.fields(node, v, at)
		}
	}
	if found := duplicate(node); found != "" {
		return fmt.Errorf("duplicate field %q", join(at.path(), found))
	}
	w.encode(value)
	return nil
}

func (w *objectWriter) items(node *yaml.Node, items []any, at *location) error {
	w.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			w.WriteByte(',')
		}
		if err := w.value(node.Content[i], item, at.index(i)); err != nil {
			return err
		}
	}
	w.WriteByte(']')
	return nil
}

// fields writes an object in the order of its mapping, then what the mapping
// has under another name or by a merge.
func (w *objectWriter) fields(node *yaml.Node, fields map[string]any, at *location) error {
	last := make(map[string]int, len(fields))
	for i := 0; i+1 < len(node.Content); i += 2 {
		last[node.Content[i].Value] = i
	}
	w.WriteByte('{')
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, part := node.Content[i].Value, node.Content[i+1]
		value, ok := fields[key]
		switch {
		case !ok && (last[key] != i || duplicate(part) != ""):
			return fmt.Errorf("duplicate field %q", at.key(key).path())
		case !ok:
			continue
		case last[key] != i:
			w.key(key)
			w.encode(nil)
			continue
		}
		w.key(key)
		if err := w.value(part, value, at.key(key)); err != nil {
			return err
		}
		delete(fields, key)
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		w.key(key)
		w.encode(fields[key])
	}
	w.WriteByte('}')
	return nil
}

// key begins a field.
func (w *objectWriter) key(key string) {
	if b := w.Bytes(); b[len(b)-1] != '{' {
		w.WriteByte(',')
	}
	w.encode(key)
	w.WriteByte(':')
}

// encode writes a value that was decoded from JSON.
func (w *objectWriter) encode(value any) {
	text, _ := json.Marshal(value) // cannot fail
	w.Write(text)
}

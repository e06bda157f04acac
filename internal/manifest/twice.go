package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

// maxTwiceDepth bounds how deep down duplicates are kept, because every level is
// written anew. No API type is half as deep.
const maxTwiceDepth = 64

// keepDuplicates writes what a YAML mapping has twice twice into the JSON that was
// made from it, so that decoders see it as they see it in JSON files: what to make
// of it is for them to say. The last value counts; the others become null. An
// error is about a duplicate that has no place in the JSON.
func keepDuplicates(node *yaml.Node, converted []byte) ([]byte, error) {
	return keep(node, converted, "", 0)
}

// keep is keepDuplicates for the part of the document at a path.
func keep(node *yaml.Node, raw json.RawMessage, path string, depth int) (json.RawMessage, error) {
	found := duplicate(node)
	if found == "" {
		return raw, nil
	}
	lost := fmt.Errorf("duplicate field %q", join(path, found))
	if depth == maxTwiceDepth {
		return nil, lost
	}
	if node.Kind == yaml.SequenceNode {
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil || len(items) != len(node.Content) {
			return nil, lost
		}
		return keepItems(node, items, path, depth)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, lost
	}
	return keepFields(node, fields, path, depth)
}

func keepItems(node *yaml.Node, items []json.RawMessage, path string, depth int) (json.RawMessage, error) {
	for i, item := range node.Content {
		kept, err := keep(item, items[i], join(path, fmt.Sprintf("[%d]", i)), depth+1)
		if err != nil {
			return nil, err
		}
		items[i] = kept
	}
	return json.Marshal(items)
}

// keepFields writes an object in the order of its mapping, then what the mapping
// has under another name or by a merge.
func keepFields(node *yaml.Node, fields map[string]json.RawMessage, path string, depth int) (json.RawMessage, error) {
	last := make(map[string]int, len(fields))
	for i := 0; i+1 < len(node.Content); i += 2 {
		last[node.Content[i].Value] = i
	}
	object := objectWriter{text: []byte("{")}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i].Value
		value, ok := fields[key]
		at := join(path, key)
		switch {
		case !ok && (last[key] != i || duplicate(node.Content[i+1]) != ""):
			return nil, fmt.Errorf("duplicate field %q", at)
		case !ok:
			continue
		case last[key] != i:
			object.add(key, []byte("null"))
			continue
		}
		kept, err := keep(node.Content[i+1], value, at, depth+1)
		if err != nil {
			return nil, err
		}
		object.add(key, kept)
		delete(fields, key)
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		object.add(key, fields[key])
	}
	return append(object.text, '}'), nil
}

// objectWriter writes a JSON object whose keys need not be unique.
type objectWriter struct{ text []byte }

func (w *objectWriter) add(key string, value []byte) {
	if len(w.text) > 1 {
		w.text = append(w.text, ',')
	}
	// A string can always be marshalled.
	name, _ := json.Marshal(key)
	w.text = append(append(append(w.text, name...), ':'), value...)
}

// before returns a JSON object that begins with what was written, and goes on with the
// fields of another.
func (w *objectWriter) before(object []byte) []byte {
	rest := bytes.TrimSpace(bytes.TrimSpace(object)[len("{"):])
	if len(w.text) > 1 && !bytes.Equal(rest, []byte("}")) {
		w.text = append(w.text, ',')
	}
	return append(w.text, rest...)
}

package manifest

import (
	"encoding/json"
	"errors"
	"strings"
)

// Part returns the object that a field of the document holds, as a document of its
// own: with its own apiVersion and kind, and with errors that say where in the file
// it stands and begin with the field. The field is written as "request.object":
// names alone, none of which contains a dot. A v1 List in it stays one.
//
// It is an error if the field is absent or null, or is not an object with
// apiVersion and kind. Of a field that is there twice the last one counts.
func (d *Document) Part(field string) (*Document, error) {
	raw := fieldOf(d.JSON, field)
	if raw == nil || isNull(raw) {
		return nil, d.Wrap(field, errors.New(field+" is missing"))
	}
	part := &Document{
		Position: d.At(field),
		Item:     join(d.Item, field),
		JSON:     raw,
		outline:  d.lines().at(field),
	}
	kind, err := identify(raw)
	if err != nil {
		return nil, part.Wrap("", err)
	}
	part.Kind = kind
	return part, nil
}

// fieldOf returns a field of a JSON object, nil if it is not there.
func fieldOf(raw json.RawMessage, field string) json.RawMessage {
	name, rest, deeper := strings.Cut(field, ".")
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil
	}
	if deeper {
		return fieldOf(fields[name], rest)
	}
	return fields[name]
}

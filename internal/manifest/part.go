package manifest

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Part returns the object that a field of the document holds, as a document of its
// own: with its own apiVersion and kind, and with errors that say where in the file
// it stands and begin with the field. The field is written as "request.object" or
// "cases[3].request": names, none of which contains a dot or a bracket, and indexes of
// lists. A v1 List in it stays one.
//
// It is an error if the field is absent or null, or is not an object with
// apiVersion and kind. Of a field that is there twice the last one counts.
func (d *Document) Part(field string) (*Document, error) {
	if part := d.attached[field]; part != nil {
		return part, nil
	}
	part, err := d.part(field)
	if err != nil {
		return nil, err
	}
	if part.Kind, err = identify(part.JSON); err != nil {
		return nil, part.Wrap("", err)
	}
	return part, nil
}

// PartAs is Part for an object whose kind is known from where it stands, so that
// apiVersion and kind need not be written there; the JSON of the part has them in any
// case. It is an error if something else is written.
func (d *Document) PartAs(field string, kind schema.GroupVersionKind) (*Document, error) {
	part, err := d.part(field)
	if err != nil {
		return nil, err
	}
	if err := part.settle(kind); err != nil {
		return nil, err
	}
	return part, nil
}

// Attach puts a document in the place of a field that is there, such as one that names a
// file instead of holding the object: Part returns that document from then on, and the
// JSON has its object. Errors about the field itself, by Wrap and At, are still about
// where the field stands.
func (d *Document) Attach(field string, part *Document) {
	if d.attached == nil {
		d.attached = map[string]*Document{}
	}
	d.attached[field] = part
	d.JSON, d.tree = replace(d.JSON, field, part.JSON), nil
}

// FieldAround returns the path of the innermost field, written as for Part, whose value
// stands around a byte of the document's JSON; "" if there is none. Decoders tell offsets
// where they might tell fields.
func (d *Document) FieldAround(offset int) string { return fieldAround(d.JSON, offset) }

// part is Part without a look at what the field holds.
func (d *Document) part(field string) (*Document, error) {
	if d.tree == nil {
		d.tree = &tree{raw: d.JSON}
	}
	found := d.tree.at(field)
	if found == nil || isNull(found.raw) {
		return nil, d.Wrap(field, errors.New(field+" is missing"))
	}
	return &Document{
		Position: d.At(field),
		Item:     join(d.Item, field),
		JSON:     found.raw,
		outline:  d.lines().at(field),
	}, nil
}

// settle gives a document the kind that it must have.
func (d *Document) settle(kind schema.GroupVersionKind) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(d.JSON, &fields); err != nil {
		return d.Wrap("", errors.New("must be an object"))
	}
	apiVersion, name := kind.ToAPIVersionAndKind()
	whole := objectWriter{text: []byte("{")}
	for _, want := range [][2]string{{"apiVersion", apiVersion}, {"kind", name}} {
		field, value := want[0], want[1]
		if raw, written := fields[field]; written {
			if err := only(raw, value); err != nil {
				return d.Wrap(field, fmt.Errorf("%s: %w", field, err))
			}
			continue
		}
		// A string can always be marshalled.
		quoted, _ := json.Marshal(value)
		whole.add(field, quoted)
	}
	d.Kind, d.JSON = kind, whole.before(d.JSON)
	return nil
}

// only reports a JSON value that is not a certain text.
func only(raw json.RawMessage, want string) error {
	var got *string
	if err := json.Unmarshal(raw, &got); err != nil || got == nil {
		return fmt.Errorf("must be %s, or not be written", want)
	}
	if *got != want {
		return fmt.Errorf("must be %s, or not be written, but is %q", want, *got)
	}
	return nil
}

package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Part returns the object in a field of the document as a separate document. It
// has its own apiVersion and kind; its errors have the line in the file and
// begin with the field. The field is written as "request.object" or
// "cases[3].request": names without dots and brackets, and indexes. A v1 List
// stays a list.
//
// It is an error if the field is absent or null, or is not an object with
// apiVersion and kind. Of duplicate fields the last one counts.
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

// PartAs is Part for a field that has objects of one kind, so that apiVersion
// and kind may be absent. PartAs adds them to the JSON. Another apiVersion or
// kind is an error.
func (d *Document) PartAs(field string, kind schema.GroupVersionKind) (*Document, error) {
	part, err := d.part(field)
	if err != nil {
		return nil, err
	}
	if err := part.setKind(kind); err != nil {
		return nil, err
	}
	return part, nil
}

// Attach replaces the value of an existing field by a document, for example a
// file name by the content of the file: Part returns that document from then
// on, and the JSON has its object. Wrap and At still return the line of the
// field itself.
func (d *Document) Attach(field string, part *Document) {
	if d.attached == nil {
		d.attached = map[string]*Document{}
	}
	d.attached[field] = part
	d.JSON, d.tree = replace(d.JSON, field, part.JSON), nil
}

// part is Part without a check of the kind.
func (d *Document) part(field string) (*Document, error) {
	if d.tree == nil {
		d.tree = &tree{raw: d.JSON}
	}
	found := d.tree.at(field)
	if found == nil || isNull(found.raw) {
		return nil, d.Wrap(field, errors.New(field+" is missing"))
	}
	part := &Document{Position: d.At(field), Item: join(d.Item, field), JSON: found.raw}
	if d.inOneLine() {
		part.whole, part.field = d, field
	} else {
		part.outline = d.lines().at(field)
	}
	return part, nil
}

// setKind sets the apiVersion and kind of a document, or checks those that it
// has.
func (d *Document) setKind(kind schema.GroupVersionKind) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(d.JSON, &fields); err != nil {
		return d.Wrap("", errors.New("must be an object"))
	}
	apiVersion, name := kind.ToAPIVersionAndKind()
	added := &objectWriter{}
	added.WriteByte('{')
	for _, want := range [][2]string{{"apiVersion", apiVersion}, {"kind", name}} {
		field, value := want[0], want[1]
		if raw, written := fields[field]; written {
			if err := only(raw, value); err != nil {
				return d.Wrap(field, fmt.Errorf("%s: %w", field, err))
			}
			continue
		}
		added.key(field)
		added.encode(value)
	}
	rest := bytes.TrimSpace(bytes.TrimSpace(d.JSON)[len("{"):])
	if added.Len() > len("{") && rest[0] != '}' {
		added.WriteByte(',')
	}
	d.Kind, d.JSON = kind, append(added.Bytes(), rest...)
	return nil
}

// only returns an error if a JSON value is not the string want.
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

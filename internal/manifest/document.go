package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Document is one object of a manifest, not decoded yet. It has an apiVersion
// and a kind, which need not exist.
type Document struct {
	Position
	// Item is the object's path in a list or in another document, for example
	// "items[3]" or "object"; empty for an object that is a whole document.
	Item string
	// Kind is the object's apiVersion and kind.
	Kind schema.GroupVersionKind
	// Patch says that kustomize takes the document for a patch; see
	// Reader.Patches.
	Patch bool
	// JSON is the object, with its duplicate fields, also if it was read from
	// YAML. Callers must not modify it.
	JSON []byte

	// value is the source of the document, nil if that is a part of another one
	// or outline is made; outline is the object's part of its source.
	value   *value
	outline *outline
	// whole is the document, in one line, of which this one is a field; nil if outline is
	// made.
	whole *Document
	field string
	// tree is the parsed part of JSON, nil before the first Part; attached are
	// the documents that replace fields.
	tree     *tree
	attached map[string]*Document
}

// DecodeInto decodes the document into a pointer as an API server does. If
// strict is set, unknown and duplicate fields are errors, and otherwise ignored.
// The error has one line for each of the Mistakes.
func (d *Document) DecodeInto(v any, strict bool) error {
	return errors.Join(d.Mistakes(v, strict)...)
}

// Unstructured decodes the document without a Go type. Duplicate fields are
// errors, as for DecodeInto. The object belongs to the caller.
func (d *Document) Unstructured() (*unstructured.Unstructured, error) {
	obj := &unstructured.Unstructured{}
	if err := d.DecodeInto(&obj.Object, true); err != nil {
		return nil, err
	}
	return obj, nil
}

// Wrap adds the file, the document and the line to err. The field, written as
// in "spec.containers[0].name" and relative to the object, chooses the line; if
// it is empty or absent the line is that of the nearest object around it. Wrap
// does not add the field to the message. It returns nil if err is nil.
func (d *Document) Wrap(field string, err error) error {
	if err == nil {
		return nil
	}
	if d.Item != "" {
		err = fmt.Errorf("%s: %w", d.Item, err)
	}
	return blame(d.At(field), err)
}

// Blame is Wrap with FieldOf. It rewords a decoder's error about a type.
func (d *Document) Blame(err error) error {
	field := d.FieldOf(err)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && field != "" {
		err = fmt.Errorf("%s: %w", field, typeError(wrong))
	}
	return d.Wrap(field, err)
}

// FieldOf returns the field that an error of decoding or validating the document
// is about, in the form that Wrap takes, or "": a *field.Error and a part of a
// strict decoding error name it, and a decoder's error about a type has its
// place in the JSON.
func (d *Document) FieldOf(err error) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		// The offset is that of the end of a scalar, or of an opening bracket.
		return fieldAround(d.JSON, int(wrong.Offset)-1)
	}
	return namedField(err)
}

// namedField returns the field that an error names, or "".
func namedField(err error) string {
	var invalid *field.Error
	if errors.As(err, &invalid) {
		return invalid.Field
	}
	var strict interface{ FieldPath() string }
	if errors.As(err, &strict) {
		return strict.FieldPath()
	}
	return ""
}

// At returns the position of a field, written as for Wrap.
func (d *Document) At(field string) Position {
	if field == "" || d.inOneLine() {
		return d.Position
	}
	return d.Position.at(d.lines().line(field))
}

// inOneLine reports whether all fields are known to be in the line of the document.
func (d *Document) inOneLine() bool {
	return d.whole != nil || d.outline == nil && d.value != nil &&
		bytes.IndexByte(bytes.TrimRight(d.value.text, " \t\r\n"), '\n') < 0
}

// lines returns the outline. That of a JSON document is made for its first
// error. JSON that YAML cannot read has none.
func (d *Document) lines() *outline {
	if d.whole != nil {
		d.outline, d.whole = d.whole.lines().at(d.field), nil
	}
	if d.outline != nil || d.value == nil {
		return d.outline
	}
	outline, _, err := newOutline(d.value.text, d.value.before)
	if err != nil {
		outline = nil
	}
	d.outline, d.value = outline, nil
	return outline
}

// identify reads apiVersion and kind.
func identify(raw []byte) (schema.GroupVersionKind, error) {
	var none schema.GroupVersionKind
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return none, errors.New("a manifest must be an object with apiVersion and kind")
	}
	apiVersion, err := text(fields, "apiVersion")
	if err != nil {
		return none, err
	}
	kind, err := text(fields, "kind")
	if err != nil {
		return none, err
	}
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || gv.Version == "" {
		return none, fmt.Errorf("apiVersion %q is neither a version nor group/version", apiVersion)
	}
	return gv.WithKind(kind), nil
}

func text(fields map[string]json.RawMessage, name string) (string, error) {
	var s *string
	if err := json.Unmarshal(fields[name], &s); err != nil && fields[name] != nil {
		return "", fmt.Errorf("%s must be a string", name)
	}
	if s == nil || *s == "" {
		return "", fmt.Errorf("%s is missing", name)
	}
	return *s, nil
}

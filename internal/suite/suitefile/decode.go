package suitefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	kjson "sigs.k8s.io/json"

	"example.com/gatehouse/internal/manifest"
)

// decode decodes a document strictly. It rejects unknown fields, and duplicate
// fields even in objects whose fields it does not know.
func decode(d *manifest.Document) (*AdmissionTest, error) {
	if err := checkKind(d); err != nil {
		return nil, err
	}
	file := &AdmissionTest{}
	m := &mistakes{document: d}
	m.noteDecoding(kjson.UnmarshalStrict(d.JSON, file))
	m.noteDecoding(kjson.UnmarshalStrict(d.JSON, &map[string]any{}, kjson.DisallowDuplicateFields))
	if err := m.join(); err != nil {
		return nil, err
	}
	return file, nil
}

// checkKind rejects documents of another kind or version.
func checkKind(d *manifest.Document) error {
	switch {
	case d.Kind.Kind != kind().Kind:
		return d.Wrap(
			"kind", fmt.Errorf("kind: %s of %s is no %s", d.Kind.Kind, d.Kind.GroupVersion(), kind().Kind))
	case d.Kind != kind():
		return d.Wrap("apiVersion", fmt.Errorf("apiVersion: %s is unknown: only %s is known", d.Kind.GroupVersion(), kind().GroupVersion()))
	default:
		return nil
	}
}

// noteDecoding records decoding errors, one mistake for each field. Both
// decoders may report the same field.
func (m *mistakes) noteDecoding(strict []error, err error) {
	for _, one := range strict {
		m.noteOnce(manifest.FieldOf(one), m.document.Blame(one))
	}
	if unfit, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		// The offset is that of the end of a scalar, or of an opening bracket.
		field := m.document.FieldAround(int(unfit.Offset) - 1)
		m.noteOnce(field, m.document.Wrap(field, fmt.Errorf("%s: must be %s, not %s", field, expectedType(unfit.Type), actualType(unfit.Value))))
		return
	}
	if err != nil {
		m.noteOnce("", m.document.Wrap("", err))
	}
}

func (m *mistakes) noteOnce(field string, err error) {
	for _, known := range m.found {
		if known.err.Error() == err.Error() {
			return
		}
	}
	m.note(field, err)
}

// expectedType names the YAML type for a Go type.
func expectedType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Int32:
		return "an integer of at most 32 bits"
	default:
		return "a map"
	}
}

// actualType names the YAML type that the decoder found. It may include a
// number.
func actualType(value string) string {
	switch value {
	case "array":
		return "a list"
	case "object":
		return "a map"
	case "bool":
		return "true or false"
	case "string", "number":
		return "a " + value
	default:
		return value
	}
}

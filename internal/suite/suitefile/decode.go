package suitefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/manifest"
)

// decode returns what is written in a document. It takes neither fields that the format
// does not have, nor fields that are there twice, not even in the objects of which the
// format does not know the fields.
func decode(d *manifest.Document) (*AdmissionTest, error) {
	if err := checkKind(d); err != nil {
		return nil, err
	}
	scheme, file := runtime.NewScheme(), &AdmissionTest{}
	scheme.AddKnownTypeWithName(kind(), file)
	m := &mistakes{document: d}
	for _, into := range []runtime.Object{file, &unstructured.Unstructured{}} {
		_, _, err := manifest.StrictDecoder(scheme).Decode(d.JSON, nil, into)
		m.noteDecoding(err)
	}
	if err := m.join(); err != nil {
		return nil, err
	}
	return file, nil
}

// checkKind reports documents of another kind or version.
func checkKind(d *manifest.Document) error {
	switch {
	case d.Kind.Kind != kind().Kind:
		return d.Wrap("kind", fmt.Errorf("kind: %s of %s is no %s", d.Kind.Kind, d.Kind.GroupVersion(), kind().Kind))
	case d.Kind != kind():
		return d.Wrap("apiVersion", fmt.Errorf("apiVersion: %s is unknown: only %s is known", d.Kind.GroupVersion(), kind().GroupVersion()))
	default:
		return nil
	}
}

// noteDecoding keeps what a decoder says: each field that it dislikes is a mistake. What
// another decoder has said of the same field is not said again.
func (m *mistakes) noteDecoding(err error) {
	strict, ok := runtime.AsStrictDecodingError(err)
	if ok {
		for _, one := range strict.Errors() {
			m.noteOnce(manifest.FieldOf(one), m.document.Blame(one))
		}
		return
	}
	if unfit, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		// The offset is just behind the value, or behind its opening bracket.
		field := m.document.FieldAround(int(unfit.Offset) - 1)
		m.noteOnce(field, m.document.Wrap(field, fmt.Errorf("%s: must be %s, not %s", field, wanted(unfit.Type), given(unfit.Value))))
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

// wanted says what values of a Go type are in a file.
func wanted(t reflect.Type) string {
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

// given says what a decoder has found, in the words of wanted. It may name a number.
func given(value string) string {
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

package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Document is one object of a manifest, not decoded yet. It has an apiVersion
// and a kind, but whether they exist is not known here.
type Document struct {
	Position
	// Item is where in a list or in another document the object stood, for
	// example "items[3]" or "object"; empty for an object that stood alone.
	Item string
	// Kind is the object's apiVersion and kind.
	Kind schema.GroupVersionKind
	// JSON is the object, with the duplicate fields that it has, also if it was
	// read from YAML. It must not be modified.
	JSON []byte

	// value is what the object was read from; outline is its part of it.
	value   *value
	outline *outline
	// tree is the JSON as far as it was taken apart, nil if nobody has asked yet;
	// attached are the documents that stand in the place of fields.
	tree     *tree
	attached map[string]*Document
}

// StrictDecoder returns a decoder for Document.Decode that knows the kinds of a
// scheme and takes neither unknown nor duplicate fields. It applies no defaults
// and converts nothing.
func StrictDecoder(scheme *runtime.Scheme) runtime.Decoder {
	return serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{Strict: true})
}

// Decode returns the document as decoder reads JSON; usually the decoder is a
// StrictDecoder. The object belongs to the caller. The error says where.
func (d *Document) Decode(decoder runtime.Decoder) (runtime.Object, error) {
	obj, _, err := decoder.Decode(d.JSON, nil, nil)
	if err != nil {
		return nil, d.explain(err)
	}
	return obj, nil
}

// Unstructured returns the document without a type, for kinds of which no Go
// type is known. Duplicate fields are an error. The object belongs to the
// caller.
func (d *Document) Unstructured() (*unstructured.Unstructured, error) {
	obj := &unstructured.Unstructured{}
	if _, _, err := StrictDecoder(runtime.NewScheme()).Decode(d.JSON, nil, obj); err != nil {
		return nil, d.explain(err)
	}
	return obj, nil
}

// Wrap says in which file, document and line err happened. The field, written
// as in "spec.containers[0].name" and relative to the object, chooses the line;
// with an empty field or one that is not there it is the nearest that is. The
// field is not added to the message. Wrap returns nil if err is nil.
func (d *Document) Wrap(field string, err error) error {
	if err == nil {
		return nil
	}
	if d.Item != "" {
		err = fmt.Errorf("%s: %w", d.Item, err)
	}
	return blame(d.At(field), err)
}

// Blame is Wrap with the field that err itself names: a *field.Error does, and a
// part of a strict decoding error.
func (d *Document) Blame(err error) error { return d.Wrap(FieldOf(err), err) }

// FieldOf returns the field that an error of decoding or of validation is about,
// as Wrap takes it, or "" if the error names none.
func FieldOf(err error) string {
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
	if field == "" {
		return d.Position
	}
	return d.Position.at(d.lines().line(field))
}

// lines returns the outline, which JSON documents make only when asked: it is
// needed for errors alone. JSON that YAML cannot read has none.
func (d *Document) lines() *outline {
	if d.outline != nil || d.value == nil || d.Item != "" {
		return d.outline
	}
	outline, _, err := newOutline(d.value.text, d.value.before)
	if err != nil {
		outline = nil
	}
	d.outline, d.value = outline, nil
	return outline
}

// explain gives a decoder's error its position, and takes from strict errors
// the words that say nothing about the manifest.
func (d *Document) explain(err error) error {
	strict, ok := runtime.AsStrictDecodingError(err)
	if !ok {
		return d.Wrap("", err)
	}
	field, messages := "", make([]string, 0, len(strict.Errors()))
	for _, e := range strict.Errors() {
		if field == "" {
			field = FieldOf(e)
		}
		messages = append(messages, e.Error())
	}
	return d.Wrap(field, errors.New(strings.Join(messages, ", ")))
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

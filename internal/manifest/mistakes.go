package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"
	kjson "sigs.k8s.io/json"
)

// Mistakes decodes the document into a pointer, as an API server does, and
// returns one error for each field at fault, in the order of their lines: values
// of the wrong type, and if strict is set unknown and duplicate fields. It
// returns at most 100 errors of either sort, and none if the value was decoded.
// The errors have the position of the field and name no Go type.
func (d *Document) Mistakes(v any, strict bool) []error {
	return d.blameAll(d.typed(v, strict))
}

// RawMistakes is Mistakes for a value that keeps parts of the document as JSON:
// duplicate fields are errors everywhere, also if strict is not set.
func (d *Document) RawMistakes(v any, strict bool) []error {
	found := d.typed(v, strict)
	for _, m := range d.mistakes(&map[string]any{}, kjson.DisallowDuplicateFields) {
		known := func(k mistake) bool { return k.err.Error() == m.err.Error() }
		if m.strict && !slices.ContainsFunc(found, known) {
			found = append(found, m)
		}
	}
	return d.blameAll(found)
}

// typed returns the mistakes of Mistakes.
func (d *Document) typed(v any, strict bool) []mistake {
	found := d.mistakes(v, kjson.DisallowUnknownFields, kjson.DisallowDuplicateFields)
	if strict {
		return found
	}
	return slices.DeleteFunc(found, func(m mistake) bool { return m.strict })
}

// mistakes decodes the document with strict checks.
func (d *Document) mistakes(v any, strict ...kjson.StrictOption) []mistake {
	problems, err := kjson.UnmarshalStrict(d.JSON, v, strict...)
	var found []mistake
	if err != nil {
		t := reflect.TypeOf(v).Elem()
		w := &typeWalk{whole: d.JSON}
		w.visit(t, span{0, len(d.JSON)}, "", maxTypeDepth)
		found = w.found
		// The decoder reports unknown and duplicate fields only if every value fits.
		problems, _ = kjson.UnmarshalStrict(w.withoutMistakes(), reflect.New(t).Interface(), strict...)
	}
	for _, problem := range problems {
		found = append(found, mistake{field: namedField(problem), strict: true, err: problem})
	}
	return found
}

// mistake is an error about a field: one of the strict checks, or about the
// value, which is at a place in the JSON.
type mistake struct {
	field  string
	strict bool
	at     span
	err    error
}

// blameAll adds the positions.
func (d *Document) blameAll(found []mistake) []error {
	slices.SortStableFunc(found, func(a, b mistake) int {
		return cmp.Compare(d.At(a.field).Line, d.At(b.field).Line)
	})
	errs := make([]error, 0, len(found))
	for _, m := range found {
		errs = append(errs, d.Wrap(m.field, m.err))
	}
	return errs
}

const (
	// maxTypeMistakes is how many values of the wrong type are reported, as many
	// as the decoder reports of unknown and duplicate fields.
	maxTypeMistakes = 100
	// maxTypeDepth bounds the work for a hostile document: every level is decoded
	// again. No kind but the schemas of CustomResourceDefinitions is as deep.
	maxTypeDepth = 50
)

// typeWalk finds the values that do not fit their Go types, by decoding smaller
// and smaller parts of a JSON value.
type typeWalk struct {
	whole []byte
	found []mistake
}

// visit decodes the part of the JSON at a path. If that fails, the mistakes are
// those of the parts within, or else it is one itself.
func (w *typeWalk) visit(t reflect.Type, at span, path string, depth int) {
	raw := w.whole[at.start:at.end]
	err := kjson.UnmarshalCaseSensitivePreserveInts(raw, reflect.New(t).Interface())
	if err == nil || len(w.found) == maxTypeMistakes {
		return
	}
	before := len(w.found)
	for step, within := range members(raw) {
		if part := typeOfPart(t, raw, step); part != nil && depth > 0 {
			within = span{at.start + within.start, at.start + within.end}
			w.visit(part, within, join(path, step), depth-1)
		}
	}
	if len(w.found) == before {
		w.found = append(w.found, newTypeMistake(t, err, at, path))
	}
}

// withoutMistakes returns the JSON with null for each value that was found.
func (w *typeWalk) withoutMistakes() []byte {
	var text []byte
	end := 0
	for _, m := range w.found {
		text = append(append(text, w.whole[end:m.at.start]...), "null"...)
		end = m.at.end
	}
	return append(text, w.whole[end:]...)
}

// typeOfPart returns the Go type of a field or an item of a JSON object or list
// that is decoded into t; nil if t has no such part, or decodes itself.
func typeOfPart(t reflect.Type, raw []byte, step string) reflect.Type {
	t = valueType(t)
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	list := bytes.HasPrefix(raw, []byte("["))
	switch kind := t.Kind(); {
	case kind == reflect.Interface:
		return t
	case kind == reflect.Slice && list, kind == reflect.Map && !list:
		return t.Elem()
	case kind == reflect.Struct && !list:
		return fieldType(t, step)
	}
	return nil
}

// fieldType returns the type of the field of a struct that has a JSON name.
func fieldType(t reflect.Type, name string) reflect.Type {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag != "" && tag == name {
			return f.Type
		}
		if f.Anonymous && tag == "" {
			if promoted := fieldType(valueType(f.Type), name); promoted != nil {
				return promoted
			}
		}
	}
	return nil
}

func valueType(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// newTypeMistake words the error of decoding the value at a path into t. A type
// that decodes itself may name a field within the value.
func newTypeMistake(t reflect.Type, err error, at span, path string) mistake {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if ok {
		path = join(path, wrong.Field)
		err = typeError(wrong)
		if valueType(t) == reflect.TypeFor[intstr.IntOrString]() {
			err = fmt.Errorf("must be a whole number or a string, but is %s", jsonType(wrong))
		}
	}
	if path != "" {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return mistake{field: path, at: at, err: err}
}

// typeError words an error about a type, without Go's names.
func typeError(wrong *json.UnmarshalTypeError) error {
	return fmt.Errorf("must be %s, but is %s", expectedType(wrong), jsonType(wrong))
}

// expectedType names the JSON that is decoded into the type of the error.
func expectedType(wrong *json.UnmarshalTypeError) string {
	switch t := valueType(wrong.Type); t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if _, number, ok := strings.Cut(wrong.Value, " "); ok && !strings.ContainsAny(number, ".eE") {
			return fmt.Sprintf("a whole number of at most %d bits", t.Bits())
		}
		return "a whole number"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return "a string in base64"
		}
		return "a list"
	default:
		return "an object"
	}
}

// jsonType names the type of the JSON value in the error. A number that does not
// fit is shown: numbers are no secrets.
func jsonType(wrong *json.UnmarshalTypeError) string {
	kind, number, _ := strings.Cut(wrong.Value, " ")
	const longest = 30
	switch {
	case kind == "array":
		return "a list"
	case kind == "object":
		return "an object"
	case kind == "bool":
		return "a boolean"
	case number != "" && len(number) <= longest:
		return number
	default:
		return "a " + kind
	}
}

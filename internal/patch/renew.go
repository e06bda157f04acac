package patch

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Touched returns the names of the fields at the top of an object to which
// operations lead, and false if they may make another object of it.
func Touched(operations Operations) ([]string, bool) {
	if !keepsKind(operations) {
		return nil, false
	}
	var touched []string
	for _, operation := range operations {
		for _, member := range []string{"path", "from"} {
			if tokens := tokensOf(operation, member); len(tokens) > 0 && !slices.Contains(touched, tokens[0]) {
				touched = append(touched, tokens[0])
			}
		}
	}
	return touched, true
}

// Renew is Object for a document that Splice has made of the JSON of an object, if
// that object was itself decoded: it decodes only some of the fields at the top,
// mostly the metadata, and takes over the others with all that they refer to. Those
// to decode are those that this patch and the one before have touched.
//
// What was decoded from JSON that had been encoded from it stays the same when it
// is encoded and decoded again, but that empty lists and maps become absent ones,
// which nobody can tell. Of what hosts and webhooks write that cannot be said: a
// time may have fractions of a second, a whole number a decimal point.
//
// It returns false where it is not known to give the same as Object. The object
// must not be used any more when the new one is changed.
func Renew(spliced []byte, fields []string, object runtime.Object) (runtime.Object, bool) {
	if custom, ok := object.(*unstructured.Unstructured); ok {
		return renewCustom(spliced, fields, custom)
	}
	return renewTyped(spliced, fields, object)
}

func renewCustom(spliced []byte, fields []string, object *unstructured.Unstructured) (runtime.Object, bool) {
	content := maps.Clone(object.Object)
	for _, name := range fields {
		raw, ok := memberText(spliced, name)
		if !ok {
			return nil, false
		}
		var value any
		if err := utiljson.Unmarshal(raw, &value); err != nil {
			return nil, false
		}
		content[name] = value
	}
	return &unstructured.Unstructured{Object: content}, true
}

func renewTyped(spliced []byte, fields []string, object runtime.Object) (runtime.Object, bool) {
	of := reflect.ValueOf(object)
	if _, special := object.(json.Unmarshaler); special || of.Kind() != reflect.Pointer || of.Elem().Kind() != reflect.Struct {
		return nil, false
	}
	renewed := reflect.New(of.Type().Elem())
	renewed.Elem().Set(of.Elem())
	for _, name := range fields {
		field, known := fieldOf(of.Type().Elem(), name)
		raw, ok := memberText(spliced, name)
		if !known || !ok {
			return nil, false
		}
		// Decoded alone, so that nothing of what was there is written to.
		value := renewed.Elem().Field(field)
		value.SetZero()
		if err := utiljson.Unmarshal(raw, value.Addr().Interface()); err != nil {
			return nil, false
		}
	}
	return renewed.Interface().(runtime.Object), true
}

// memberText returns the text of a member of the document.
func memberText(document []byte, name string) ([]byte, bool) {
	at, ok := memberOf(document, 0, name)
	if !ok || at == 0 {
		return nil, false
	}
	return document[at:skip(document, at)], true
}

// fieldOf returns the field of a struct that has a name in JSON and is no part of
// an embedded struct.
func fieldOf(t reflect.Type, name string) (int, bool) {
	for i := range t.NumField() {
		tag, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if tag == name && t.Field(i).IsExported() {
			// "-" is no name, and numbers in quotes are decoded in a way of their own.
			return i, name != "-" && !strings.Contains(options, "string")
		}
	}
	return 0, false
}

package convert

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// carry sets the fields of an object from those that have the same JSON path in
// another, and leaves the others alone. The two share memory afterwards.
//
// It does in memory what encoding and decoding would do, but keeps what JSON
// would not: fractions of seconds, and the difference between nil and empty.
func carry(to, from runtime.Object) {
	carryValue(reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem())
}

func carryValue(to, from reflect.Value) {
	switch {
	case to.Type() == from.Type():
		to.Set(from)
	case to.Kind() != from.Kind():
		// A difference that the table names: what is there is not the same.
	case to.Kind() == reflect.Struct:
		carryFields(to, from)
	case to.Kind() == reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
			carryValue(to.Elem(), from.Elem())
		}
	case to.Kind() == reflect.Slice:
		carrySlice(to, from)
	case from.CanConvert(to.Type()):
		to.Set(from.Convert(to.Type()))
	}
}

func carryFields(to, from reflect.Value) {
	sources := map[string]reflect.Value{}
	for i := range from.NumField() {
		sources[jsonName(from.Type().Field(i))] = from.Field(i)
	}
	for i := range to.NumField() {
		if source, ok := sources[jsonName(to.Type().Field(i))]; ok {
			carryValue(to.Field(i), source)
		}
	}
}

func carrySlice(to, from reflect.Value) {
	if from.IsNil() {
		return
	}
	to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
	for i := range from.Len() {
		carryValue(to.Index(i), from.Index(i))
	}
}

// jsonName is the name of a field in JSON. It is empty for apiVersion and kind,
// which are embedded, and of which no object has two.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

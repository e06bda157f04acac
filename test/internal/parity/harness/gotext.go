package harness

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// goText writes what JSON does not show of a Go value: the types in interfaces,
// nil and empty lists and maps, all of a time.
func goText(v any) string {
	var w strings.Builder
	writeGo(&w, reflect.ValueOf(v))
	return w.String()
}

func writeGo(w *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			w.WriteString("nil")
			return
		}
		if v.Kind() == reflect.Interface {
			fmt.Fprintf(w, "(%s)", v.Elem().Type())
		}
		writeGo(w, v.Elem())
	case reflect.Struct:
		if at, ok := v.Interface().(time.Time); ok {
			w.WriteString(at.UTC().Format(time.RFC3339Nano))
			return
		}
		w.WriteByte('{')
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && !v.Field(i).IsZero() {
				w.WriteString(field.Name + ":")
				writeGo(w, v.Field(i))
				w.WriteByte(' ')
			}
		}
		w.WriteByte('}')
	case reflect.Map:
		writeEntries(w, v)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			fmt.Fprintf(w, "%q", v.Bytes())
			return
		}
		writeElements(w, v)
	default:
		fmt.Fprintf(w, "%#v", v.Interface())
	}
}

func writeEntries(w *strings.Builder, v reflect.Value) {
	if v.IsNil() {
		w.WriteString("nil")
		return
	}
	keys := v.MapKeys()
	slices.SortFunc(
		keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	w.WriteString("map[")
	for _, key := range keys {
		fmt.Fprintf(w, "%q:", key.String())
		writeGo(w, v.MapIndex(key))
		w.WriteByte(' ')
	}
	w.WriteByte(']')
}

func writeElements(w *strings.Builder, v reflect.Value) {
	if v.IsNil() {
		w.WriteString("nil")
		return
	}
	w.WriteByte('[')
	for i := range v.Len() {
		writeGo(w, v.Index(i))
		w.WriteByte(' ')
	}
	w.WriteByte(']')
}

package builtin

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// word is the value of strings without a hint.
const word = "sample"

// Fill sets the required fields of an object, a pointer to a struct.
func Fill(object runtime.Object) { fill(reflect.ValueOf(object).Elem()) }

// Status sets the required fields of the status, and reports whether there is
// one.
func Status(object runtime.Object) bool {
	status := reflect.ValueOf(object).Elem().FieldByName("Status")
	if !status.IsValid() {
		return false
	}
	fill(status)
	return true
}

// part returns a filled value.
func part[T any]() T {
	var v T
	fill(reflect.ValueOf(&v).Elem())
	return v
}

func fill(v reflect.Value) {
	if known, ok := known(v.Interface()); ok {
		v.Set(reflect.ValueOf(known))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		fillStruct(v)
		hint(v.Addr().Interface())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	case reflect.String:
		v.SetString(word)
	case reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint('s')
	case reflect.Bool:
	default:
		panic(fmt.Sprintf("no value is known for a %s: add one to known", v.Type()))
	}
}

func fillStruct(v reflect.Value) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		inline := field.Anonymous && name == ""
		switch {
		case name == "-" || !field.IsExported():
		case inline && v.Field(i).Kind() == reflect.Struct, field.Name == "Spec", !optional(options):
			fill(v.Field(i))
		}
	}
}

// optional reports whether JSON may leave a field out.
func optional(options string) bool {
	all := strings.Split(options, ",")
	return slices.Contains(all, "omitempty") || slices.Contains(all, "omitzero")
}

// known returns the values of types that are not filled by reflection.
func known(v any) (any, bool) {
	switch v.(type) {
	case metav1.TypeMeta:
		return metav1.TypeMeta{}, true // the caller sets it
	case metav1.ObjectMeta:
		return metav1.ObjectMeta{}, true
	case metav1.Time:
		return began(), true
	case metav1.MicroTime:
		return metav1.NewMicroTime(began().Time), true
	case metav1.Duration:
		return metav1.Duration{}, true
	case resource.Quantity:
		return resource.MustParse("1"), true
	case intstr.IntOrString:
		return intstr.FromInt32(1), true
	case runtime.RawExtension:
		return runtime.RawExtension{Raw: []byte(`{"sample":true}`)}, true
	}
	return nil, false
}

// began is a time in the past.
func began() metav1.Time { return metav1.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC) }

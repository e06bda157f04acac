package suitefile_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/suite/suitefile"
)

// fill gives every field of a value a value that is not its zero.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0))
	case reflect.Map:
		item := reflect.New(v.Type().Elem()).Elem()
		fill(t, item)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key").Convert(v.Type().Key()), item)
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint('1')
	default:
		t.Fatalf("a %s, of which this test knows nothing", v.Type())
	}
}

// shared returns the paths at which two equal values have memory in common.
func shared(a, b reflect.Value, path string) []string {
	var found []string
	switch a.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if !a.IsNil() && a.UnsafePointer() == b.UnsafePointer() {
			return []string{path}
		}
	}
	switch a.Kind() {
	case reflect.Pointer:
		found = shared(a.Elem(), b.Elem(), path)
	case reflect.Struct:
		for i := range a.NumField() {
			found = append(found, shared(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name)...)
		}
	case reflect.Slice:
		for i := range a.Len() {
			found = append(found, shared(a.Index(i), b.Index(i), path+"[]")...)
		}
	case reflect.Map:
		for _, key := range a.MapKeys() {
			found = append(found, shared(a.MapIndex(key), b.MapIndex(key), path+"{}")...)
		}
	}
	return found
}

// TestDeepCopyObject copies a suite in which nothing is missing.
func TestDeepCopyObject(t *testing.T) {
	t.Parallel()
	from := &suitefile.AdmissionTest{}
	fill(t, reflect.ValueOf(from).Elem())
	copied, ok := from.DeepCopyObject().(*suitefile.AdmissionTest)
	if !ok {
		t.Fatal("the copy is something else")
	}
	if diff := cmp.Diff(from, copied); diff != "" {
		t.Errorf("the copy is not equal (-from +copy):\n%s", diff)
	}
	if found := shared(reflect.ValueOf(from), reflect.ValueOf(copied), "t"); found != nil {
		t.Errorf("the copy has memory of the original at %q", found)
	}
	if found := shared(reflect.ValueOf(from), reflect.ValueOf(from), "t"); len(found) != 1 {
		t.Errorf("of itself it has %q", found)
	}
	empty := (&suitefile.AdmissionTest{}).DeepCopyObject()
	if diff := cmp.Diff(runtime.Object(&suitefile.AdmissionTest{}), empty); diff != "" {
		t.Errorf("the copy of nothing is something:\n%s", diff)
	}
}

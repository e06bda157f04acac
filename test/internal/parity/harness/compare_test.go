package harness

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// filled is an observation in which every field has a value and every list and
// map one element.
func filled() Observation {
	var o Observation
	fill(reflect.ValueOf(&o).Elem())
	return o
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		element := reflect.New(v.Type().Elem()).Elem()
		fill(element)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), element)
	case reflect.String:
		v.SetString("value")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(1)
	default:
		panic(fmt.Sprintf("a field is a %s, which Compare was not tried with", v.Type()))
	}
}

// edit is a way to change one thing, which Compare must name.
type edit struct {
	field  string
	change func(*Observation)
}

// edits finds every field, and in lists and maps what is missing and what is
// different.
func edits(path string, t reflect.Type, find func(*Observation) reflect.Value) []edit {
	field := strings.TrimPrefix(path, ".")
	clear := edit{field, func(o *Observation) { v := find(o); v.Set(reflect.Zero(v.Type())) }}
	switch t.Kind() {
	case reflect.Struct:
		var all []edit
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				all = append(all, edits(path+"."+f.Name, f.Type, func(o *Observation) reflect.Value { return find(o).Field(i) })...)
			}
		}
		return all
	case reflect.Slice:
		inside := edits(path+"[0]", t.Elem(), func(o *Observation) reflect.Value { return find(o).Index(0) })
		return append(inside, clear)
	case reflect.Map:
		other := func(o *Observation) {
			element := reflect.New(t.Elem()).Elem()
			find(o).SetMapIndex(reflect.ValueOf("key"), element)
		}
		more := func(o *Observation) {
			element := reflect.New(t.Elem()).Elem()
			find(o).SetMapIndex(reflect.ValueOf("another"), element)
		}
		return []edit{clear, {field, other}, {field, more}}
	}
	return []edit{clear}
}

// TestCompareSeesEveryField changes one thing after the other. The fields are
// found by reflection, so that one that is new is tried as well.
func TestCompareSeesEveryField(t *testing.T) {
	t.Parallel()
	all := edits("", reflect.TypeFor[Observation](), func(o *Observation) reflect.Value { return reflect.ValueOf(o).Elem() })
	const fewest = 40 // there are more; none would mean that fields are not found
	if len(all) < fewest {
		t.Fatalf("only %d things to change", len(all))
	}
	for _, e := range all {
		changed := filled()
		e.change(&changed)
		for _, found := range [][]Difference{Compare(filled(), changed), Compare(changed, filled())} {
			if len(found) != 1 || found[0].Field != e.field {
				t.Errorf("%s: want one difference of this name, got %v", e.field, found)
				continue
			}
			if found[0].Upstream == found[0].Gatehouse {
				t.Errorf("%s: the difference shows twice the same: %s", e.field, found[0].Upstream)
			}
		}
	}
}

func TestCompareEqual(t *testing.T) {
	t.Parallel()
	if found := Compare(filled(), filled()); len(found) > 0 {
		t.Errorf("differences where there are none: %v", found)
	}
	none, empty := Observation{}, Observation{Metadata: map[string]string{}, Metrics: []string{}}
	if found := Compare(none, empty); len(found) > 0 {
		t.Errorf("nothing and none differ: %v", found)
	}
}

func TestDifferenceText(t *testing.T) {
	t.Parallel()
	got := Difference{Step: 1, Side: Exact, Field: "Error.Text", Upstream: "no", Gatehouse: "yes"}.String()
	if want := "step 1: gatehouse exact: Error.Text\n  upstream:  no\n  gatehouse: yes"; got != want {
		t.Errorf("want:\n%s\ngot:\n%s", want, got)
	}
}

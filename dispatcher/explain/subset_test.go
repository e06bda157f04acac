package explain_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/testtable"
)

type subsetCase struct {
	row
	part, object string
	// want has one difference per line, in the form of shownDifferences.
	want []string
}

func TestSubset(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []subsetCase{
		{row{"itself", "an object contains itself"}, `{"a":[1,{"b":null}]}`, `{"a":[1,{"b":null}]}`, nil},
		{row{"nothing", "an empty part is contained in every object"}, ``, `{"a":1}`, nil},
		{row{"empty map", "an empty map is contained in every map"}, `{}`, `{"a":1}`, nil},
		{row{"no object", "an absent object contains nothing"}, `{"a":1}`, ``, []string{` : want {"a":1}, got none`}},
		{row{"other keys", "other keys are ignored"}, `{"a":{"b":1}}`, `{"a":{"b":1,"c":2},"d":3}`, nil},
		{row{"another value", "the usual difference"}, `{"a":{"b":1}}`, `{"a":{"b":2}}`, []string{"a.b a.b: want 1, got 2"}},
		{row{"absent", "the path is that of the missing field"}, `{"a":{"b":{"c":1}}}`, `{"a":{}}`, []string{`a.b a.b: want {"c":1}, got none`}},
		{row{"null", "null expects absence"}, `{"a":null,"b":null,"c":null}`, `{"b":null,"c":{"d":1}}`, []string{`c c: want none, got {"d":1}`}},
		{row{"null in an absent map", "the map itself is missing"}, `{"a":{"b":null}}`, `{}`, []string{`a a: want {"b":null}, got none`}},
		{row{"same number", "numbers are compared by value"}, `{"a":1.0}`, `{"a":1}`, nil},
		{row{"big number", "floats are equal beyond 2^53"}, `{"a":9007199254740993}`, `{"a":9007199254740992}`, []string{"a a: want 9007199254740993, got 9007199254740992"}},
		{row{"another form", "an empty map is no empty list"}, `{"a":{}}`, `{"a":[]}`, []string{"a a: want {}, got []"}},
		{row{"document order", "metadata comes first"}, `{"spec":1,"data":2,"metadata":3}`, `{}`,
			[]string{"metadata metadata: want 3, got none", "spec spec: want 1, got none", "data data: want 2, got none"}},

		{row{"named items", "other items are ignored"}, `{"c":[{"name":"b","x":1}]}`, `{"c":[{"name":"a"},{"name":"b","x":2,"y":3}]}`, []string{"c[1].x c[name=b].x: want 1, got 2"}},
		{row{"order of named items", "named items may be in any order"}, `{"c":[{"name":"b"},{"name":"a"}]}`, `{"c":[{"name":"a"},{"name":"b"}]}`, nil},
		{row{"no such item", "the path is that of the list"}, `{"c":[{"name":"b"}]}`, `{"c":[{"name":"a"}]}`, []string{`c c[name=b]: want {"name":"b"}, got none`}},
		{row{"no items", "each missing item is a difference"}, `{"c":[{"name":"a"},{"name":"b"}]}`, `{"c":[]}`,
			[]string{`c c[name=a]: want {"name":"a"}, got none`, `c c[name=b]: want {"name":"b"}, got none`}},
		{row{"other items have no name", "only the wanted items need a key"}, `{"p":[{"name":"http","port":80}]}`, `{"p":[{"port":1},{"name":"http","port":80}]}`, nil},
		{row{"ports", "ports are identified by number"}, `{"p":[{"containerPort":2,"x":1}]}`, `{"p":[{"containerPort":1},{"containerPort":2,"x":2}]}`,
			[]string{"p[1].x p[containerPort=2].x: want 1, got 2"}},
		{row{"one volume twice", "mounts are identified by path"}, `{"m":[{"name":"v","mountPath":"/b","ro":true}]}`,
			`{"m":[{"name":"v","mountPath":"/a"},{"name":"v","mountPath":"/b"}]}`, []string{"m[1].ro m[mountPath=/b].ro: want true, got none"}},
		{row{"one name twice", "ambiguous items are compared by index"}, `{"m":[{"name":"v"}]}`, `{"m":[{"name":"v"},{"name":"v"}]}`,
			[]string{`m m: want [{"name":"v"}], got [{"name":"v"},{"name":"v"}]`}},
		{row{"odd name", "the name is quoted"}, `{"c":[{"name":"a\nb"}]}`, `{"c":[]}`, []string{`c c[name="a\nb"]: want {"name":"a\nb"}, got none`}},
		{row{"empty list", "an empty list expects an empty list"}, `{"c":[]}`, `{"c":[{"name":"a"}]}`, []string{`c c: want [], got [{"name":"a"}]`}},
		{row{"scalars", "scalars are compared by index"}, `{"a":["x","y"]}`, `{"a":["y","x"]}`, []string{`a[0] a[0]: want "x", got "y"`, `a[1] a[1]: want "y", got "x"`}},
		{row{"fewer scalars", "lists of different lengths are one difference"}, `{"a":["x"]}`, `{"a":["w","x"]}`, []string{`a a: want ["x"], got ["w","x"]`}},
		{row{"parts of items", "items are compared by index"}, `{"a":[{"b":1},{"b":2}]}`, `{"a":[{"b":1,"c":1},{"b":3}]}`, []string{"a[1].b a[1].b: want 2, got 3"}},
	}, func(t *testing.T, tc subsetCase) {
		found, err := explain.Subset(json.RawMessage(tc.part), json.RawMessage(tc.object))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tc.want, shownDifferences(found)); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

func shownDifferences(found []explain.Difference) []string {
	var lines []string
	for _, d := range found {
		value := func(raw json.RawMessage) string {
			if raw == nil {
				return "none"
			}
			return string(raw)
		}
		lines = append(lines, fmt.Sprintf("%s %s: want %s, got %s", d.Path, d.Name, value(d.Want), value(d.Got)))
	}
	return lines
}

func TestSubsetErrors(t *testing.T) {
	t.Parallel()
	for part, object := range map[string]string{"{": "{}", "{}": "{"} {
		if found, err := explain.Subset(json.RawMessage(part), json.RawMessage(object)); err == nil {
			t.Errorf("%s is compared with %s: %v", part, object, found)
		}
	}
}

// TestSubsetOfItself removes keys of a random object and wants the rest to be a
// part of it; then it changes one leaf of the rest and wants one difference.
func TestSubsetOfItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		whole := drawValue(t, 4)
		part := removeKeys(t, whole)
		if found := subset(t, part, whole); len(found) > 0 {
			t.Fatalf("%s is no part of %s: %q", encoded(part), encoded(whole), shownDifferences(found))
		}
		changes := leafSetters(part, func(v any) { part = v })
		if len(changes) == 0 {
			return
		}
		rapid.SampledFrom(changes).Draw(t, "leaf")("changed")
		if found := subset(t, part, whole); len(found) != 1 {
			t.Errorf("%s and %s: want one difference, got %q", encoded(part), encoded(whole), shownDifferences(found))
		}
	})
}

func subset(t *rapid.T, part, whole any) []explain.Difference {
	found, err := explain.Subset(encoded(part), encoded(whole))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// removeKeys draws a copy of a value without some keys of its maps.
func removeKeys(t *rapid.T, value any) any {
	switch v := value.(type) {
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = removeKeys(t, v[i])
		}
		return list
	case map[string]any:
		object := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if rapid.IntRange(0, 3).Draw(t, "remove") > 0 {
				object[key] = removeKeys(t, v[key])
			}
		}
		return object
	}
	return value
}

// leafSetters returns, for each leaf of a value, a function that sets it. set
// sets the value itself.
func leafSetters(value any, set func(any)) []func(any) {
	var all []func(any)
	switch v := value.(type) {
	case []any:
		for i := range v {
			all = append(all, leafSetters(v[i], func(leaf any) { v[i] = leaf })...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = append(all, leafSetters(v[key], func(leaf any) { v[key] = leaf })...)
		}
	default:
		return []func(any){set}
	}
	return all
}

// TestSubsetOfLongLists compares a list of many items with its reverse.
// Quadratic time would exceed the test's timeout.
func TestSubsetOfLongLists(t *testing.T) {
	t.Parallel()
	var forwards, backwards []string
	for i := range 50_000 {
		forwards = append(forwards, fmt.Sprintf(`{"name":"n%d","x":%d}`, i, i))
		backwards = append(backwards, fmt.Sprintf(`{"name":"n%d","x":%d}`, 49_999-i, 49_999-i))
	}
	list := func(items []string) json.RawMessage { return json.RawMessage("[" + strings.Join(items, ",") + "]") }
	found, err := explain.Subset(list(forwards), list(backwards))
	if err != nil || len(found) > 0 {
		t.Errorf("%d differences, error %v", len(found), err)
	}
}

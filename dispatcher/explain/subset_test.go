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
	// want has a difference in each line, as told writes it.
	want []string
}

func TestSubset(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []subsetCase{
		{row{"itself", "the whole is a part"}, `{"a":[1,{"b":null}]}`, `{"a":[1,{"b":null}]}`, nil},
		{row{"nothing", "who wants nothing gets it"}, ``, `{"a":1}`, nil},
		{row{"empty map", "any map has no keys besides its own"}, `{}`, `{"a":1}`, nil},
		{row{"no object", "what is not there has no parts"}, `{"a":1}`, ``, []string{` : want {"a":1}, got none`}},
		{row{"other keys", "they are not looked at"}, `{"a":{"b":1}}`, `{"a":{"b":1,"c":2},"d":3}`, nil},
		{row{"another value", "the usual difference"}, `{"a":{"b":1}}`, `{"a":{"b":2}}`, []string{"a.b a.b: want 1, got 2"}},
		{row{"absent", "the path says where it would be"}, `{"a":{"b":{"c":1}}}`, `{"a":{}}`, []string{`a.b a.b: want {"c":1}, got none`}},
		{row{"null", "null is how absence is written"}, `{"a":null,"b":null,"c":null}`, `{"b":null,"c":{"d":1}}`, []string{`c c: want none, got {"d":1}`}},
		{row{"null at the end of nothing", "what is not there has no keys"}, `{"a":{"b":null}}`, `{}`, []string{`a a: want {"b":null}, got none`}},
		{row{"same number", "it is a number, and no text"}, `{"a":1.0}`, `{"a":1}`, nil},
		{row{"big number", "floats would be equal"}, `{"a":9007199254740993}`, `{"a":9007199254740992}`, []string{"a a: want 9007199254740993, got 9007199254740992"}},
		{row{"another form", "a map is no list"}, `{"a":{}}`, `{"a":[]}`, []string{"a a: want {}, got []"}},
		{row{"document order", "people read metadata first"}, `{"spec":1,"data":2,"metadata":3}`, `{}`,
			[]string{"metadata metadata: want 3, got none", "spec spec: want 1, got none", "data data: want 2, got none"}},

		{row{"named items", "sidecars come and go"}, `{"c":[{"name":"b","x":1}]}`, `{"c":[{"name":"a"},{"name":"b","x":2,"y":3}]}`, []string{"c[1].x c[name=b].x: want 1, got 2"}},
		{row{"order of named items", "a name says enough"}, `{"c":[{"name":"b"},{"name":"a"}]}`, `{"c":[{"name":"a"},{"name":"b"}]}`, nil},
		{row{"no such item", "it is in no place of the list"}, `{"c":[{"name":"b"}]}`, `{"c":[{"name":"a"}]}`, []string{`c c[name=b]: want {"name":"b"}, got none`}},
		{row{"no items", "one by one they are missing"}, `{"c":[{"name":"a"},{"name":"b"}]}`, `{"c":[]}`,
			[]string{`c c[name=a]: want {"name":"a"}, got none`, `c c[name=b]: want {"name":"b"}, got none`}},
		{row{"other items have no name", "they need none"}, `{"p":[{"name":"http","port":80}]}`, `{"p":[{"port":1},{"name":"http","port":80}]}`, nil},
		{row{"ports", "without a name the number tells"}, `{"p":[{"containerPort":2,"x":1}]}`, `{"p":[{"containerPort":1},{"containerPort":2,"x":2}]}`,
			[]string{"p[1].x p[containerPort=2].x: want 1, got 2"}},
		{row{"one volume twice", "the name does not tell, but the path does"}, `{"m":[{"name":"v","mountPath":"/b","ro":true}]}`,
			`{"m":[{"name":"v","mountPath":"/a"},{"name":"v","mountPath":"/b"}]}`, []string{"m[1].ro m[mountPath=/b].ro: want true, got none"}},
		{row{"one name twice", "nothing tells, so places do"}, `{"m":[{"name":"v"}]}`, `{"m":[{"name":"v"},{"name":"v"}]}`,
			[]string{`m m: want [{"name":"v"}], got [{"name":"v"},{"name":"v"}]`}},
		{row{"odd name", "it is shown as one word"}, `{"c":[{"name":"a\nb"}]}`, `{"c":[]}`, []string{`c c[name="a\nb"]: want {"name":"a\nb"}, got none`}},
		{row{"empty list", "it has no items, and nothing tells them apart"}, `{"c":[]}`, `{"c":[{"name":"a"}]}`, []string{`c c: want [], got [{"name":"a"}]`}},
		{row{"scalars", "arguments have an order"}, `{"a":["x","y"]}`, `{"a":["y","x"]}`, []string{`a[0] a[0]: want "x", got "y"`, `a[1] a[1]: want "y", got "x"`}},
		{row{"fewer scalars", "one difference, and not one for each that moved"}, `{"a":["x"]}`, `{"a":["w","x"]}`, []string{`a a: want ["x"], got ["w","x"]`}},
		{row{"parts of items", "each is a part of the one in its place"}, `{"a":[{"b":1},{"b":2}]}`, `{"a":[{"b":1,"c":1},{"b":3}]}`, []string{"a[1].b a[1].b: want 2, got 3"}},
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

// TestSubsetOfItself removes keys of a random object and wants a part of it; then it
// changes one leaf that is left, and wants exactly that difference.
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

// thinned draws a copy of a value in which keys of maps are missing.
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

// changesOf returns for each leaf of a value a function that sets it. set sets the value
// itself.
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

// TestSubsetOfMuch compares a list of many items with itself in another order, and wants
// that to take no longer than reading it does, more or less.
func TestSubsetOfMuch(t *testing.T) {
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

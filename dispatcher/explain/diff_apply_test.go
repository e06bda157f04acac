package explain_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/gatehouse/dispatcher/explain"
)

// TestDiffApplies applies the changes between random documents to the first,
// and wants the second.
func TestDiffApplies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := randomDocument().Draw(t, "before")
		after := randomDocument().Draw(t, "after")
		if rapid.Bool().Draw(t, "edited") {
			after = drawEdit(t, before)
		}
		checkDiff(t, before, after)
	})
}

func checkDiff(t rapid.TB, before, after any) {
	t.Helper()
	changes, err := explain.Diff(encoded(before), encoded(after))
	if err != nil {
		t.Fatal(err)
	}
	if equal := reflect.DeepEqual(before, after); equal != (len(changes) == 0) {
		t.Errorf("there are %d changes, equal is %t", len(changes), equal)
	}
	a := applier{t: t, changes: changes}
	if got := a.apply(before, explain.Path{}, explain.Path{}); !reflect.DeepEqual(got, after) {
		t.Errorf("before  %s\nafter   %s\napplied %s\nchanges %q", encoded(before), encoded(after), encoded(got), shownChanges(changes))
	}
}

// randomDocument draws a value with many equal parts, so that lists have to be
// aligned.
func randomDocument() *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any { return drawValue(t, 3) })
}

func drawValue(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	switch {
	case depth == 0 || kind < 2:
		return rapid.SampledFrom([]any{nil, true, 1.0, 2.0, "a", "b", "c", "x/y"}).Draw(t, "leaf")
	case kind < 4:
		list := make([]any, rapid.IntRange(0, 5).Draw(t, "length"))
		for i := range list {
			list[i] = drawValue(t, depth-1)
		}
		return list
	case kind == 4:
		return drawNamedItems(t, depth)
	}
	object := map[string]any{}
	for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"name", "port", "a", "b.c", "0", ""}), 0, 4).Draw(t, "keys") {
		object[key] = drawValue(t, depth-1)
	}
	return object
}

// drawNamedItems draws a list of maps with different names, in any order.
func drawNamedItems(t *rapid.T, depth int) any {
	var list []any
	for _, name := range rapid.Permutation([]string{"a", "b", "c", "d"}).Draw(t, "names")[rapid.IntRange(0, 4).Draw(t, "fewer"):] {
		list = append(list, map[string]any{"name": name, "x": drawValue(t, depth-1)})
	}
	return append([]any{}, list...)
}

// drawEdit draws a document that differs a little from another one.
func drawEdit(t *rapid.T, value any) any {
	if rapid.IntRange(0, 5).Draw(t, "edit") == 0 {
		return drawValue(t, 2)
	}
	switch v := value.(type) {
	case []any:
		list := append([]any{}, v...)
		if len(list) > 0 {
			i := rapid.IntRange(0, len(list)-1).Draw(t, "item")
			list[i] = drawEdit(t, list[i])
		}
		if rapid.Bool().Draw(t, "shuffle") {
			return append([]any{}, rapid.Permutation(list).Draw(t, "order")...)
		}
		return slices.Insert(list, rapid.IntRange(0, len(list)).Draw(t, "at"), drawValue(t, 1))
	case map[string]any:
		object := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if object[key] = v[key]; rapid.IntRange(0, 2).Draw(t, "change") == 0 {
				object[key] = drawEdit(t, v[key])
			}
		}
		return object
	}
	return value
}

func encoded(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // not reached: the values were decoded from JSON
	}
	return text
}

// applier applies changes. It shares no code with Diff.
type applier struct {
	t       rapid.TB
	changes []explain.Change
}

// apply returns the value at to after the changes, from the value at from
// before them.
func (a *applier) apply(value any, from, to explain.Path) any {
	if c := a.find("replace", to); c != nil {
		return a.decode(c.New)
	}
	if c := a.find("add", to); c != nil {
		return a.decode(c.New)
	}
	switch v := value.(type) {
	case []any:
		return a.applyList(v, from, to)
	case map[string]any:
		object := map[string]any{}
		for key := range v {
			if a.find("remove", from.Key(key)) == nil {
				object[key] = a.apply(v[key], from.Key(key), to.Key(key))
			}
		}
		for _, c := range a.changes {
			if key, ok := lastKey(to, c); ok && c.Op == "add" {
				object[key] = a.decode(c.New)
			}
		}
		return object
	}
	return value
}

// applyList puts added and moved items at their indexes, and the others in
// order between.
func (a *applier) applyList(list []any, from, to explain.Path) any {
	var staying []int
	for _, i := range indexes(list) {
		moved := slices.ContainsFunc(a.changes, func(c explain.Change) bool { return c.Op == "move" && c.From == from.Index(i).String() })
		if !moved && a.find("remove", from.Index(i)) == nil {
			staying = append(staying, i)
		}
	}
	result := []any{}
	for j := 0; ; j++ {
		at := to.Index(j)
		switch c := a.find("move", at); {
		case c != nil:
			i := slices.IndexFunc(indexes(list), func(i int) bool { return from.Index(i).String() == c.From })
			result = append(result, a.apply(list[i], from.Index(i), at))
		case a.find("add", at) != nil:
			result = append(result, a.decode(a.find("add", at).New))
		case len(staying) > 0:
			result = append(result, a.apply(list[staying[0]], from.Index(staying[0]), at))
			staying = staying[1:]
		default:
			return result
		}
	}
}

func indexes(list []any) []int {
	all := make([]int, len(list))
	for i := range all {
		all[i] = i
	}
	return all
}

func (a *applier) find(op string, at explain.Path) *explain.Change {
	for i := range a.changes {
		if c := &a.changes[i]; c.Op == op && c.Path == at.String() {
			return c
		}
	}
	return nil
}

// lastKey returns the last key of a change in the map at a path.
func lastKey(at explain.Path, c explain.Change) (string, bool) {
	for _, key := range []string{"name", "port", "a", "b.c", "0", "", "x"} {
		if at.Key(key).String() == c.Path {
			return key, true
		}
	}
	return "", false
}

func (a *applier) decode(text json.RawMessage) any {
	var value any
	if err := json.NewDecoder(strings.NewReader(string(text))).Decode(&value); err != nil {
		a.t.Fatal(err)
	}
	return value
}

// TestDiffAppliesToLongLists covers lists that are too long to compare all
// pairs.
func TestDiffAppliesToLongLists(t *testing.T) {
	t.Parallel()
	var before, after []any
	for i := range 700 {
		before = append(before, float64(i%600))
		after = append(after, float64((i*7+3)%650))
	}
	checkDiff(t, before, after)
}

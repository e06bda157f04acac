package explain_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/gatehouse/dispatcher/explain"
)

// TestBlameListsAllLeaves wants exactly the leaves of the last state, for
// random states.
func TestBlameListsAllLeaves(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		states, documents := drawStates(t)
		fields := blamed(t, states).fields
		got := map[string]string{}
		for _, f := range fields {
			if _, twice := got[f.Path]; twice {
				t.Errorf("%s is listed twice", f.Path)
			}
			got[f.Path] = string(f.Value)
		}
		want := map[string]string{}
		collectLeaves(want, explain.Path{}, documents[len(documents)-1])
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

// collectLeaves adds the leaves of a value in their encoded form.
func collectLeaves(leaves map[string]string, at explain.Path, value any) {
	switch v := value.(type) {
	case []any:
		for i := range v {
			collectLeaves(leaves, at.Index(i), v[i])
		}
		if len(v) > 0 {
			return
		}
	case map[string]any:
		for key := range v {
			collectLeaves(leaves, at.Key(key), v[key])
		}
		if len(v) > 0 {
			return
		}
	}
	leaves[at.String()] = string(encoded(value))
}

// TestBlameOfUnchangedFields wants fields that are equal in all states to
// belong to the writer of the first state.
func TestBlameOfUnchangedFields(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		states, documents := drawStates(t)
		constant := drawValue(t, 3)
		for i := range states {
			states[i].Object = encoded(map[string]any{"constant": constant, "other": documents[i]})
		}
		got := blamed(t, states)
		for _, f := range slices.Concat(got.fields, got.removed) {
			if strings.HasPrefix(f.Path, "constant") && (f.Writer != states[0].By || len(f.Earlier) > 0) {
				t.Errorf("%s", shownFields([]explain.Field{f}))
			}
		}
	})
}

// TestBlameIgnoresTheOrderOfKeys encodes the states differently and wants the
// same results.
func TestBlameIgnoresTheOrderOfKeys(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		states, documents := drawStates(t)
		want := blamed(t, states)
		for i := range states {
			states[i].Object = json.RawMessage(encodeReversed(documents[i]))
		}
		if got := blamed(t, states); !reflect.DeepEqual(got, want) {
			t.Errorf("got %q, want %q", shownFields(got.fields), shownFields(want.fields))
		}
	})
}

// encodeReversed encodes a value with keys in reverse order and white space
// everywhere.
func encodeReversed(value any) string {
	var parts []string
	switch v := value.(type) {
	case []any:
		for i := range v {
			parts = append(parts, encodeReversed(v[i]))
		}
		return " [ " + strings.Join(parts, " ,\n") + " ] "
	case map[string]any:
		for _, key := range slices.Backward(slices.Sorted(maps.Keys(v))) {
			parts = append(parts, string(encoded(key))+" : "+encodeReversed(v[key]))
		}
		return "\t{ " + strings.Join(parts, " , ") + " }\r\n"
	}
	return string(encoded(value)) + " "
}

// TestBlameOfMaps compares with a simple model: without lists, the history of
// each path is the sequence of its values.
func TestBlameOfMaps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var states []explain.State
		var values []map[string]string
		for i := range rapid.IntRange(1, 6).Draw(t, "states") {
			values = append(values, map[string]string{})
			object := map[string]any{}
			for _, path := range []string{"a", "b.c", "b.d", "e.f.g", "e.f.h", "zero"} {
				value := rapid.IntRange(0, 3).Draw(t, path)
				if path == "zero" || value > 0 {
					setNested(object, strings.Split(path, "."), float64(value))
					values[i][path] = fmt.Sprint(value)
				}
			}
			states = append(states, explain.State{Object: encoded(object), By: drawWriter(t, i)})
		}
		got := blamed(t, states)
		want := wantHistories(values, states)
		if d := cmp.Diff(want, append(shownFields(got.fields), shownFields(got.removed)...)); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

func setNested(object map[string]any, keys []string, value any) {
	if len(keys) == 1 {
		object[keys[0]] = value
		return
	}
	if object[keys[0]] == nil {
		object[keys[0]] = map[string]any{}
	}
	setNested(object[keys[0]].(map[string]any), keys[1:], value)
}

// wantHistories returns the fields and then the removed ones, in the form of
// shownFields.
func wantHistories(values []map[string]string, states []explain.State) []string {
	var fields, removed []string
	for _, path := range []string{"a", "b.c", "b.d", "e.f.g", "e.f.h", "zero"} {
		var events []string
		last, by := "", ""
		for i := range values {
			value := values[i][path]
			if value == last {
				continue
			}
			if len(events) > 0 || last != "" {
				events = append(events, by+" "+map[bool]string{true: last, false: "-"}[last != ""])
			}
			last, by = value, shownWriter(states[i].By)
		}
		earlier := ""
		if len(events) > 0 {
			earlier = " (" + strings.Join(events, ", ") + ")"
		}
		switch {
		case last != "":
			fields = append(fields, path+" = "+last+" by "+by+earlier)
		case by != "":
			removed = append(removed, path+" by "+by+earlier)
		}
	}
	return append(fields, removed...)
}

// results are the results of Blame.
type results struct {
	fields, removed []explain.Field
	fights          []explain.Fight
}

func blamed(t rapid.TB, states []explain.State) results {
	t.Helper()
	fields, removed, fights, err := explain.Blame(states)
	if err != nil {
		t.Fatal(err)
	}
	return results{fields, removed, fights}
}

// drawStates draws states, most of which are edits of earlier ones.
func drawStates(t *rapid.T) ([]explain.State, []any) {
	var states []explain.State
	var documents []any
	for i := range rapid.IntRange(1, 6).Draw(t, "states") {
		value := drawValue(t, 3)
		if i > 0 && rapid.IntRange(0, 4).Draw(t, "fresh") > 0 {
			value = drawEdit(t, documents[rapid.IntRange(0, i-1).Draw(t, "of")])
		}
		documents = append(documents, value)
		states = append(states, explain.State{Object: encoded(value), By: drawWriter(t, i)})
	}
	return states, documents
}

func drawWriter(t *rapid.T, i int) explain.Writer {
	if i == 0 {
		return explain.Writer{By: explain.ByUser}
	}
	return explain.Writer{By: explain.ByWebhook, Webhook: rapid.SampledFrom([]string{"v", "w"}).Draw(t, "webhook"), Index: i}
}

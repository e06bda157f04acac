package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestDuplicatesInYAML checks that duplicates are in the JSON, where decoders
// find them.
func TestDuplicatesInYAML(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		input, json, err string
	}
	testtable.Run(t, []test{
		{row{"none", "nothing is written anew"}, "apiVersion: a/v1\nkind: B\n",
			`{"apiVersion":"a/v1","kind":"B"}`, ""},
		{row{"of the document", "the last one counts, and the line is its line"}, "apiVersion: a/v1\nkind: B\nc: 1\nc: 2\n",
			`{"apiVersion":"a/v1","kind":"B","c":null,"c":2}`,
			`a.yaml: document 1 (line 4): duplicate field "c"`},
		{row{"of a value that is gone", "it is the value of a duplicate"}, "apiVersion: a/v1\nkind: B\nc: {d: 1, d: 2}\nc: 3\n",
			`{"apiVersion":"a/v1","kind":"B","c":null,"c":3}`,
			`a.yaml: document 1 (line 4): duplicate field "c"`},
		{row{"in lists and objects", "all of them are reported"},
			"apiVersion: a/v1\nkind: B\nc:\n- d: 1\n  d: 2\n  d: 3\n- e: {f: 1, g: [], f: \"2\"}\n- h\n",
			`{"apiVersion":"a/v1","kind":"B","c":[{"d":null,"d":null,"d":3},{"e":{"f":null,"g":[],"f":"2"}},"h"]}`,
			"a.yaml: document 1 (line 6): duplicate field \"c[0].d\"\na.yaml: document 1 (line 7): duplicate field \"c[1].e.f\""},
		{row{"beside a merge", "what was merged has no place in the text"},
			"apiVersion: a/v1\nkind: B\nc: &x {d: 1, e: 2}\nf:\n  <<: *x\n  g: 1\n  g: 2\n",
			`{"apiVersion":"a/v1","kind":"B","c":{"d":1,"e":2},"f":{"g":null,"g":2,"d":1,"e":2}}`,
			`a.yaml: document 1 (line 7): duplicate field "f.g"`},
		{row{"in an anchor", "it is reported where it stands, however often it is used"},
			"apiVersion: a/v1\nkind: B\nc: &x {d: 1, d: 2}\ne: *x\n",
			`{"apiVersion":"a/v1","kind":"B","c":{"d":null,"d":2},"e":{"d":2}}`,
			`a.yaml: document 1 (line 3): duplicate field "c.d"`},
		{row{"in an item", "the other items can be read all the same"},
			"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: a/v1, kind: B, c: 1,\n   c: 2}\n",
			`{"apiVersion":"a/v1","kind":"B","c":null,"c":2}`,
			`a.yaml: document 1 (line 5): items[0]: duplicate field "c"`},
		{row{"deep", "any depth that parsers take"}, "apiVersion: a/v1\nkind: B\nc: " + strings.Repeat("[", 100) + "{b: 1, b: 2}" + strings.Repeat("]", 100),
			`{"apiVersion":"a/v1","kind":"B","c":` + strings.Repeat("[", 100) + `{"b":null,"b":2}` + strings.Repeat("]", 100) + "}",
			`a.yaml: document 1 (line 3): duplicate field "c` + strings.Repeat("[0]", 100) + `.b"`},
	}, func(t *testing.T, tc test) {
		doc := last(t, tc.input)
		if diff := cmp.Diff(tc.json, string(doc.JSON)); diff != "" {
			t.Errorf("JSON (-want +got):\n%s", diff)
		}
		_, err := doc.Unstructured()
		if diff := cmp.Diff(tc.err, testtable.Text(err)); diff != "" {
			t.Errorf("error (-want +got):\n%s", diff)
		}
	})
}

func TestAt(t *testing.T) {
	t.Parallel()
	doc := last(t, "apiVersion: a/v1\nkind: B\nc:\n- d: 1\n")
	for field, line := range map[string]int{"": 1, "c[0].d": 4, "c[7]": 3, "z": 1} {
		want := manifest.Position{File: "a.yaml", Number: 1, Line: line}
		if got := doc.At(field); got != want {
			t.Errorf("At(%q) = %v, want %v", field, got, want)
		}
	}
}

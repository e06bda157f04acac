package rewrite

import (
	"encoding/json"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// change is a case: a file, a JSON merge patch of the object with a name, and the result
// or the error.
type change struct {
	row
	file, before, name, patch, after, err string
}

const head = "apiVersion: v1\nkind: X\n"

func TestFile(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []change{
		{row: row{"scalar", "the comment of the line stays"},
			before: head + "a: 1 # one\nb: 2\n", patch: `{"a": 5}`, after: head + "a: 5 # one\nb: 2\n"},
		{row: row{"quotes", "the style of quotes stays, and text that looks like a number gets some"},
			before: head + "a: \"x \\\" y\"\nb: 'it''s'\nc: x\n", patch: `{"a": "z", "b": "w", "c": "1"}`,
			after: head + "a: \"z\"\nb: w\nc: \"1\"\n"},
		{row: row{"new field", "it is the last of its object, before the comment of what follows"},
			before: head + "list:\n- name: a\n  rules: [x]   # r\n# The second\n- name: b\n",
			patch:  `{"list": [{"name": "a", "rules": ["x"], "t": 5}, {"name": "b"}]}`,
			after:  head + "list:\n- name: a\n  rules: [x]   # r\n  t: 5\n# The second\n- name: b\n"},
		{row: row{"nested", "an object of several levels is written in block style"},
			before: head + "a:\n    b: 1\n", patch: `{"a": {"c": {"d": [{"e": "f"}]}}}`,
			after: head + "a:\n    b: 1\n    c:\n      d:\n      - e: f\n"},
		{row: row{"new item", "the indentation of the list stays"},
			before: head + "a:\n  - x\n  - w # last\nb: 1\n", patch: `{"a": ["x", "w", "z"]}`,
			after: head + "a:\n  - x\n  - w # last\n  - z\nb: 1\n"},
		{row: row{"both", "an item comes before the field that is added to the object around it"},
			before: head + "a:\n  b:\n  - x", patch: `{"a": {"b": ["x", "y"], "c": 1}}`,
			after: head + "a:\n  b:\n  - x\n  - \"y\"\n  c: 1"},
		{row: row{"empty object", "braces become block style"},
			before: head + "a: {}  # all\nb: 1\n", patch: `{"a": {"c": ["d"]}}`,
			after: head + "a:  # all\n  c:\n  - d\nb: 1\n"},
		{row: row{"absent value", "null that is not written"},
			before: head + "a:\nb:\n", patch: `{"a": {"c": 1}, "b": [1]}`,
			after: head + "a:\n  c: 1\nb:\n- 1\n"},
		{row: row{"flow", "it stays on its line"},
			before: head + "a: {b: [1, 2], c: {}} # x\n", patch: `{"a": {"b": [1, 2, 3], "c": {"d": "&&"}, "e": 1}}`,
			after: head + "a: {b: [1, 2, 3], c: {\"d\": \"&&\"}, e: 1} # x\n"},
		{row: row{"JSON", "lines and indentation as those of the neighbours"}, file: "a.json",
			before: "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"X\",\n  \"a\": {\n    \"b\": [1]\n  }\n}\n",
			patch:  `{"a": {"b": [1, 2], "c": {"d": [3]}}}`,
			after: "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"X\",\n  \"a\": {\n    \"b\": [1, 2],\n" +
				"    \"c\": {\n      \"d\": [\n        3\n      ]\n    }\n  }\n}\n"},
		{row: row{"JSON on one line", "blanks as people write them"}, file: "a.json",
			before: `{"apiVersion":"v1","kind":"X","a":{}}`, patch: `{"a": {"b": [1, {"c": 2}], "d": 1}}`,
			after: `{"apiVersion":"v1","kind":"X","a":{"b": [1, {"c": 2}], "d": 1}}`},
		{row: row{"several documents", "the lines of each count from the file"}, name: "one",
			before: "# first\n" + head + "a: 1\n---\n\n# second\n" + head + "metadata: {name: one}\na: 1\n---\n" + head + "a: 1\n",
			patch:  `{"a": 2}`,
			after:  "# first\n" + head + "a: 1\n---\n\n# second\n" + head + "metadata: {name: one}\na: 2\n---\n" + head + "a: 1\n"},
		{row: row{"list", "an item of a v1 List"}, name: "one",
			before: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: X\n- apiVersion: v1\n  kind: X\n  metadata: {name: one}\n",
			patch:  `{"a": {"b": 1}}`,
			after:  "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: X\n- apiVersion: v1\n  kind: X\n  metadata: {name: one}\n  a:\n    b: 1\n"},
		{row: row{"line breaks", "those of the file"},
			before: strings.ReplaceAll(head+"a:\n- 1\n", "\n", "\r\n"), patch: `{"a": [1, 2], "b": {"c": 1}}`,
			after: strings.ReplaceAll(head+"a:\n- 1\n- 2\nb:\n  c: 1\n", "\n", "\r\n")},
		{row: row{"mark and letters", "columns count characters, and a byte order mark is none"},
			before: "\ufeff" + head + "a: {ü: \"ä\", b: 1}\n", patch: `{"a": {"ü": "ä", "b": 2}}`,
			after: "\ufeff" + head + "a: {ü: \"ä\", b: 2}\n"},
		{row: row{"literal last", "a hash in a block scalar is no comment"},
			before: head + "a: |\n  x\n\n  # y\n\n# end\n", patch: `{"b": 1}`,
			after: head + "a: |\n  x\n\n  # y\nb: 1\n\n# end\n"},
		{row: row{"several lines", "scalars that continue on the next line"},
			before: head + "a: x\n  y\nb: \"x\n  y\"\n", patch: `{"a": "z", "b": "z", "c": 1}`,
			after: head + "a: z\nb: \"z\"\nc: 1\n"},
		{row: row{"alias", "other objects share it"},
			before: head + "x: &x {a: 1}\nq: *x\n", patch: `{"q": {"a": 2}}`,
			err: "a.yaml: document 1 (line 4): q: cannot be changed: it is an anchor or alias, which other parts of the file share"},
		{row: row{"anchor", "its aliases would change"},
			before: head + "x: &x\n  a: 1\nq: *x\n", patch: `{"x": {"a": 2}}`,
			err: "a.yaml: document 1 (line 3): x: cannot be changed: it is an anchor or alias, which other parts of the file share"},
		{row: row{"merge key", "the field is written at the anchor"},
			before: head + "x: &x\n  a: {b: 1}\nq:\n  <<: *x\n  c: 1\n", patch: `{"q": {"a": {"b": 2}}}`,
			err: "a.yaml: document 1 (line 5): q.a: cannot be changed: it is an anchor or alias, which other parts of the file share"},
		{row: row{"removal", "nothing is removed"},
			before: head + "a: {b: 1}\n", patch: `{"a": {"b": null}}`,
			err: "a.yaml: document 1 (line 3): a.b: cannot be changed: something would have to be removed"},
		{row: row{"below an anchor", "the alias would change, too: File finds out"},
			before: head + "x: &x\n  a: {b: 1}\nq: *x\n", patch: `{"x": {"a": {"b": 2}}}`,
			err: "(line 3): x: cannot be changed: it is an anchor"},
		{row: row{"trailing comma", "it stays the last"},
			before: head + "a: [1, 2,]\n", patch: `{"a": [1, 2, 3]}`, after: head + "a: [1, 2, 3,]\n"},
		{row: row{"tag", "what is not understood is refused"},
			before: head + "a: !!str 5\n", patch: `{"a": "6"}`, err: "(line 3): a: " + errShape.Error()},
	}, testChange)
}

func testChange(t *testing.T, c change) {
	file := c.file
	if file == "" {
		file = "a.yaml"
	}
	documents, err := read(file, []byte(c.before))
	if err != nil {
		t.Fatal(err)
	}
	var changes []Change
	for _, d := range documents {
		object, err := decode(d)
		if err != nil {
			t.Fatal(err)
		}
		if metadata, _ := object["metadata"].(map[string]any); c.name == "" || metadata["name"] == c.name {
			changes = append(changes, Change{d, merge(t, object, c.patch)})
			break
		}
	}
	after, err := File(file, []byte(c.before), changes)
	switch {
	case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
		t.Errorf("error %v, want %s\n%s", err, c.err, after)
	case c.err == "" && err != nil:
		t.Error(err)
	case c.err == "" && string(after) != c.after:
		t.Errorf("got\n%s\nwant\n%s", after, c.after)
	}
}

// merge returns the object after a JSON merge patch.
func merge(t *testing.T, object map[string]any, text string) map[string]any {
	t.Helper()
	var patch map[string]any
	if err := json.Unmarshal([]byte(text), &patch); err != nil {
		t.Fatal(err)
	}
	return mergeInto(object, integers(patch).(map[string]any))
}

func mergeInto(object, patch map[string]any) map[string]any {
	for name, value := range patch {
		below, isMap := value.(map[string]any)
		old, wasMap := object[name].(map[string]any)
		switch {
		case value == nil:
			delete(object, name)
		case isMap && wasMap:
			mergeInto(old, below)
		default:
			object[name] = value
		}
	}
	return object
}

// integers makes int64 of the numbers, as package unstructured has them.
func integers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			v[name] = integers(v[name])
		}
	case []any:
		for i := range v {
			v[i] = integers(v[i])
		}
	case float64:
		return int64(v)
	}
	return value
}

func TestFileHasChanged(t *testing.T) {
	t.Parallel()
	documents, err := read("a.yaml", []byte(head))
	if err != nil {
		t.Fatal(err)
	}
	_, err = File("a.yaml", []byte(head+"a: 1\n"), []Change{{documents[0], map[string]any{}}})
	if want := "a.yaml: document 1 (line 1): the file has changed since it was read"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

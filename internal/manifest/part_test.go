package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// envelope is a document with two others in it.
const envelope = podYAML + `---
# comment
apiVersion: a/v1
kind: Envelope
letter:
  object:
    apiVersion: v1
    kind: Pod
    spec:
      containers:
      - imagee: a
copy: {apiVersion: v1, kind: Pod}
pages:
- - {}
  - word: {apiVersion: v1, kind: Pod}
`

func TestPart(t *testing.T) {
	t.Parallel()
	doc := last(t, envelope)
	type test struct {
		row
		field string
		want  manifest.Document
	}
	at := func(line int, item string) manifest.Document {
		return manifest.Document{
			Position: manifest.Position{File: "a.yaml", Number: 2, Line: line}, Item: item,
			JSON: []byte(`{"apiVersion":"v1","kind":"Pod"}`),
		}
	}
	deep := at(8, "letter.object")
	deep.JSON = []byte(`{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"imagee":"a"}]}}`)
	rows := []test{
		{row{"field", "the plain case: the line is that of the field"}, "copy", at(14, "copy")},
		{row{"field of a field", "reviews keep their objects one deeper"}, "letter.object", deep},
		{row{"item of a list", "suites keep their requests in lists, which may be deep"}, "pages[0][1].word", at(17, "pages[0][1].word")},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		part, err := doc.Part(r.field)
		if err != nil {
			t.Fatal(err)
		}
		got := manifest.Document{Position: part.Position, Item: part.Item, JSON: part.JSON}
		if diff := cmp.Diff(describe(&r.want), describe(&got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if part.Kind.String() != "/v1, Kind=Pod" {
			t.Errorf("the kind is %s", part.Kind)
		}
	})
}

func describe(d *manifest.Document) []string {
	return []string{d.Position.String(), d.Item, string(d.JSON)}
}

// TestPartErrors decodes parts strictly: the errors say where.
func TestPartErrors(t *testing.T) {
	t.Parallel()
	const list = `{"apiVersion":"v1","kind":"List","items":[` + "\n" + `{"apiVersion":"a/v1","kind":"B","c":` + "\n" + `{"apiVersion":"v1","kind":"Pod","d":1}}]}`
	type test struct {
		row
		input, field, want string
	}
	rows := []test{
		{row{"unknown field", "the field is in the part, the line in the file"}, envelope, "letter.object",
			`a.yaml: document 2 (line 13): letter.object: unknown field "spec.containers[0].imagee"`},
		{row{"in an item of a list", "a part of an item is found like that of a document"}, list, "c",
			`a.yaml: document 1 (line 3): items[0].c: unknown field "d"`},
		{row{"in JSON", "JSON has lines too"}, "{\"apiVersion\":\"a/v1\",\"kind\":\"B\",\n\"c\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\n\"d\":1}}", "c",
			`a.yaml: document 1 (line 3): c: unknown field "d"`},
		{row{"alias", "the lines of what it stands for"}, "apiVersion: a/v1\nkind: B\nb: &x\n  apiVersion: v1\n  kind: Pod\n  e: 1\nc: *x\n", "c",
			`a.yaml: document 1 (line 6): c: unknown field "e"`},
		{row{"merged", "no line of its own: that of the document has to do"}, "apiVersion: a/v1\nkind: B\n<<: {c: {apiVersion: v1, kind: Pod, e: 1}}\n", "c",
			`a.yaml: document 1 (line 1): c: unknown field "e"`},
		{row{"absent", "there is nothing to decode"}, podYAML, "c", "a.yaml: document 1 (line 1): c is missing"},
		{row{"absent in a part", "the line is that of what lacks it"}, podYAML + "c: {}\n", "c.d", "a.yaml: document 1 (line 3): c.d is missing"},
		{row{"null", "it is as good as absent, but has a line"}, podYAML + "c: null\n", "c", "a.yaml: document 1 (line 3): c is missing"},
		{row{"in a text", "texts have no fields"}, podYAML + "c: d\n", "c.d", "a.yaml: document 1 (line 3): c.d is missing"},
		{row{"no such item", "the line is that of the list"}, podYAML + "c: [{}]\n", "c[1]", "a.yaml: document 1 (line 3): c[1] is missing"},
		{row{"index of an object", "an object has no items, though a key may look like one"}, podYAML + "c: {0: {}}\n", "c[0]", "a.yaml: document 1 (line 3): c[0] is missing"},
		{row{"no index", "it is for lists to have them"}, podYAML + "c: [{}]\n", "c[d]", "a.yaml: document 1 (line 3): c[d] is missing"},
		{row{"name in a list", "lists have no names"}, podYAML + "c: [{}]\n", "c.d", "a.yaml: document 1 (line 3): c.d is missing"},
		{row{"unclosed", "a path is not guessed"}, podYAML + "c: [{}]\n", "c[0", "a.yaml: document 1 (line 3): c[0 is missing"},
		{row{"no object", "a text has no kind"}, podYAML + "c: d\n", "c",
			"a.yaml: document 1 (line 3): c: a manifest must be an object with apiVersion and kind"},
		{row{"no kind", "nothing says what it is"}, podYAML + "c: {apiVersion: v1}\n", "c", "a.yaml: document 1 (line 3): c: kind is missing"},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		part, err := last(t, r.input).Part(r.field)
		if err == nil {
			_, err = decode(t, part)
		}
		if got := testtable.Text(err); got != r.want {
			t.Errorf("\n got %s\nwant %s", got, r.want)
		}
	})
}

// TestPartOfTwo takes the last of two fields, as decoders do.
func TestPartOfTwo(t *testing.T) {
	t.Parallel()
	part, err := last(t, podYAML+"c: {apiVersion: v1, kind: A}\nc: {apiVersion: v1, kind: B}\n").Part("c")
	if err != nil || part.Kind.Kind != "B" || part.Line != 4 {
		t.Errorf("got %v, %v", part, err)
	}
	if _, err := part.Part("d"); err == nil || !strings.HasSuffix(err.Error(), ": c: d is missing") {
		t.Errorf("got %v", err)
	}
}

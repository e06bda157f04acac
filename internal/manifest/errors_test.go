package manifest_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestErrors(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		file, input string
		want        []string
	}
	rows := []test{
		{row{"no kind", "the commonest slip"}, "a.yaml", "apiVersion: v1\nkin: Pod\n",
			[]string{"error: a.yaml: document 1 (line 1): kind is missing"}},
		{row{"no apiVersion", "reading goes on after an error"}, "a.yaml", "kind: Pod\n---\n" + podYAML,
			[]string{"error: a.yaml: document 1 (line 1): apiVersion is missing", "2:3 v1 Pod"}},
		{row{"case matters", "encoding/json alone would accept it"}, "a.yaml", "ApiVersion: v1\nKind: Pod\n",
			[]string{"error: a.yaml: document 1 (line 1): apiVersion is missing"}},
		{row{"null kind", "null is as good as absent"}, "a.yaml", "apiVersion: v1\nkind:\n",
			[]string{"error: a.yaml: document 1 (line 1): kind is missing"}},
		{row{"number for apiVersion", "YAML made a number of it"}, "a.yaml", "apiVersion: 1\nkind: Pod\n",
			[]string{"error: a.yaml: document 1 (line 1): apiVersion must be a string"}},
		{row{"boolean for kind", "YAML 1.1 reads yes as true, as kubectl does"}, "a.yaml", "apiVersion: v1\nkind: yes\n",
			[]string{"error: a.yaml: document 1 (line 1): kind must be a string"}},
		{row{"three parts", "a resource path is not an apiVersion"}, "a.yaml", "apiVersion: apps/v1/x\nkind: Pod\n",
			[]string{`error: a.yaml: document 1 (line 1): apiVersion "apps/v1/x" is neither a version nor group/version`}},
		{row{"group without version", "half an apiVersion"}, "a.yaml", "apiVersion: apps/\nkind: Pod\n",
			[]string{`error: a.yaml: document 1 (line 1): apiVersion "apps/" is neither a version nor group/version`}},
		{row{"a sequence", "a document that is no object"}, "a.yaml", "- a\n",
			[]string{"error: a.yaml: document 1 (line 1): a manifest must be an object with apiVersion and kind"}},
		{row{"plain text", "a file that is no manifest"}, "a.yaml", "hello\n",
			[]string{"error: a.yaml: document 1 (line 1): a manifest must be an object with apiVersion and kind"}},
		{row{"YAML syntax", "the line is that of the file, not of the document"}, "a.yaml", podYAML + "---\na: b\n c: d\n",
			[]string{"1:1 v1 Pod", "error: a.yaml: document 2 (line 5): invalid YAML: mapping values are not allowed in this context"}},
		{row{"tab", "YAML forbids tabs in indentation"}, "a.yaml", "apiVersion: v1\nkind: Pod\nspec:\n\ta: b\n",
			[]string{"error: a.yaml: document 1 (line 4): invalid YAML: found character that cannot start any token"}},
		{row{"duplicate field that is renamed", "YAML 1.1 makes true of it, and so no decoder could object"}, "a.yaml", podYAML + "spec:\n- a:\n    yes: 1\n    yes: 2\n",
			[]string{`error: a.yaml: document 1 (line 6): duplicate field "spec[0].a.yes"`}},
		{row{"items twice in YAML", "a list is decoded while reading"}, "a.yaml", "apiVersion: v1\nkind: List\nitems: []\nitems: []\n",
			[]string{`error: a.yaml: document 1 (line 4): duplicate field "items"`}},
		{row{"unknown anchor", "an alias of nothing"}, "a.yaml", "a: *b\n",
			[]string{"error: a.yaml: document 1 (line 1): invalid YAML: unknown anchor (…) referenced"}},
		{row{"tag that does not fit", "the value may be a secret"}, "a.yaml", "a: !!int hunter2\n",
			[]string{"error: a.yaml: document 1 (line 1): invalid YAML: cannot decode !!str (…) as a !!int"}},
		{row{"map for a key", "what is in it may be a secret"}, "a.yaml", "? {hunter2: x}\n: y\n",
			[]string{"error: a.yaml: document 1 (line 1): invalid YAML: invalid map key: (…)"}},
		{row{"list for a key", "the same"}, "a.yaml", "? [hunter2]\n: y\n",
			[]string{"error: a.yaml: document 1 (line 1): invalid YAML: invalid map key: (…)"}},
		{row{"null for a key", "its value may be a secret"}, "a.yaml", "~: hunter2\n",
			[]string{"error: a.yaml: document 1 (line 1): invalid YAML: unsupported map key of type: %!s(<nil>), key: (…)"}},
		{row{"number for a key", "JSON has none; its value may be a secret"}, "a.yaml", "9223372036854775808: hunter2\n",
			[]string{"error: a.yaml: document 1 (line 1): invalid YAML: unsupported map key of type: uint64, key: (…)"}},
		{row{"backtick in a value", "it does not end the quotation"}, "a.yaml", "a: !!int x`hunter2\n",
			[]string{"error: a.yaml: document 1 (line 1): invalid YAML: cannot decode !!str (…) as a !!int"}},
		{row{"lone carriage return", "YAML takes it for a line break; what follows must not vanish"}, "a.yaml", "apiVersion: v1\rkind: Pod\r---\rkind: Secret\r",
			[]string{"error: a.yaml: document 1 (line 1): a second document begins without a separator line (---) that ends in a line feed"}},
		{row{"directive", "not supported, and not silently ignored"}, "a.yaml", "%YAML 1.2\n---\n" + podYAML,
			[]string{"error: a.yaml: document 1 (line 1): YAML directives (%YAML, %TAG) are not supported", "2:3 v1 Pod"}},
		{row{"not UTF-8", "the line is the one with the bad byte"}, "a.yaml", podYAML + "x: \xff\n---\n" + podYAML,
			[]string{"error: a.yaml: document 1 (line 3): the text is not UTF-8", "2:5 v1 Pod"}},
		{row{"UTF-16", "what some editors save"}, "a.yaml", "\xff\xfea\x00:\x00",
			[]string{"error: a.yaml: document 1 (line 1): the text is not UTF-8"}},
		{row{"control character", "binary data"}, "a.yaml", "a: \x00\n",
			[]string{"error: a.yaml: document 1 (line 1): invalid YAML: control characters are not allowed"}},
		{row{"JSON syntax", "a .json file is JSON and nothing else"}, "a.json", "{\n\"a\": }",
			[]string{"error: a.json: document 1 (line 2): invalid JSON: invalid character '}' looking for beginning of value"}},
		{row{"truncated JSON", "the error is on the last line with text"}, "a.json", "{\n\"a\": 1\n\n\n",
			[]string{"error: a.json: document 1 (line 2): invalid JSON: unexpected EOF"}},
		{row{"second JSON value", "what stood before the error counts"}, "a.yaml", podJSON + "\n{\"a\" 1}",
			[]string{"1:1 v1 Pod", "error: a.yaml: document 2 (line 2): invalid JSON: invalid character '1' after object key"}},
		{row{"YAML in JSON", "the name promises JSON"}, "a.json", podYAML,
			[]string{"error: a.json: document 1 (line 1): invalid JSON: invalid character 'a' looking for beginning of value"}},
		{row{"null item", "an item is no document that may be empty"}, "a.yaml", "apiVersion: v1\nkind: List\nitems:\n-\n",
			[]string{"error: a.yaml: document 1 (line 4): items[0]: a manifest must be an object with apiVersion and kind"}},
		{row{"bad item", "the others are read all the same"}, "a.yaml", "apiVersion: v1\nkind: List\nitems:\n- kind: Pod\n- {apiVersion: v1, kind: Pod}\n",
			[]string{"error: a.yaml: document 1 (line 4): items[0]: apiVersion is missing", "1:5 v1 Pod items[1]"}},
		{row{"misspelt items", "the list would otherwise look empty"}, "a.yaml", "apiVersion: v1\nkind: List\nitem:\n- kind: Pod\n",
			[]string{`error: a.yaml: document 1 (line 3): unknown field "item"`}},
		{row{"items twice", "JSON would otherwise keep the last"}, "a.json", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[],\n\"items\":[]}",
			[]string{`error: a.json: document 1 (line 2): duplicate field "items"`}},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		got := transcript(manifest.Documents(r.file, strings.NewReader(r.input)))
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.Why(), diff)
		}
	})
}

func TestBrokenInput(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is gone")
	var first error
	for _, err := range manifest.Documents("a.yaml", iotest.ErrReader(broken)) {
		if first != nil {
			t.Fatalf("reading went on after the input broke: %v", err)
		}
		first = err
	}
	if !errors.Is(first, broken) {
		t.Errorf("got %v, want it to wrap %v", first, broken)
	}
	if want := "a.yaml: read document 1: the disk is gone"; first.Error() != want {
		t.Errorf("got %q, want %q", first, want)
	}
}

// TestStop checks that a caller may leave the loop anywhere; an iterator that
// went on would make the range panic.
func TestStop(t *testing.T) {
	t.Parallel()
	input := podYAML + "---\n[]\n---\nkind: List\napiVersion: v1\nitems: [{apiVersion: v1, kind: Pod}, {}]\n---\n" + podYAML
	for stop := range 5 {
		n := 0
		for range manifest.Documents("a.yaml", strings.NewReader(input)) {
			if n++; n > stop {
				break
			}
		}
		if n != stop+1 {
			t.Errorf("got %d results, want %d", n, stop+1)
		}
	}
}

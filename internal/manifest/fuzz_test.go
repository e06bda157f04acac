package manifest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"

	"example.com/gatehouse/internal/manifest"
)

// FuzzDocuments checks what holds for any input: nothing panics, a result is
// either a document or an error, numbers never go down, lines are within the
// file, also those of parts, errors are one line, every document can be read
// without a type or has mistakes, and a document that is attached to another
// leaves it JSON.
func FuzzDocuments(f *testing.F) {
	for _, seed := range []string{
		podYAML + "---\n" + podYAML, podJSON + podJSON, "{a: b}", "--- {a: b}\n...\n", "a: &a [*a]",
		"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n- {}\n", "\ufeff---\r\n# x\r\n",
		"a: |\n  ---\n b", "? [a]\n: b", "<<: {a: 1}\na: 2", "a: 1\ra: 2", "!!binary x", "\u0085---\u2028", "%TAG ! x\n---\n",
		podYAML + "c: [{d: 1, d: {e: 1, e: 2}}]\nc: &x {yes: 1, f: 1, f: 2}\ng: {<<: *x}\n",
		podYAML + "c: [[], {object: {d: 1}, object: {e: 2}}]\n", podYAML + "c: [{}, {'[0]': 1, 'a.b': 2}]\n",
		podYAML + "spec: {containers: [{name: 7, imagee: a, resources: {limits: {cpu: x}}}], containers: 1}\n",
		"# a\n\n# b\n" + podYAML + "# c\nd: [e, # f\n  g] # h\n# i\n",
		podYAML + "object: &x {apiVersion: v1, kind: Pod}\n", podYAML + "<<: {object:\n  {apiVersion: v1, kind: Pod}}\n",
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, input string, inJSON bool) {
		file := "a.yaml"
		if inJSON {
			file = "a.json"
		}
		lines, number := strings.Count(input, "\n")+1, 0
		for doc, err := range manifest.Documents(file, strings.NewReader(input)) {
			if (doc == nil) == (err == nil) {
				t.Fatalf("got document %v and error %v", doc, err)
			}
			if err != nil {
				checkLines(t, err, file)
				continue
			}
			if doc.Number < number || doc.Line < 1 || doc.Line > lines {
				t.Errorf("%v follows document %d in a file of %d lines", doc.Position, number, lines)
			}
			number = doc.Number
			for _, c := range doc.Comments() {
				if c.Line < 1 || c.Line > lines || c.Of > lines || !strings.HasPrefix(c.Text, "#") {
					t.Errorf("%+v is a comment in a file of %d lines", c, lines)
				}
			}
			if part, err := doc.Part("object"); err == nil && (part.Line < 1 || part.Line > lines) {
				t.Errorf("a part is on line %d in a file of %d lines", part.Line, lines)
			}
			checkAttached(t, doc)
			checkMistakes(t, doc)
			if u, err := doc.Unstructured(); err == nil && u.GroupVersionKind() != doc.Kind {
				t.Errorf("the document says %v, the object %v", doc.Kind, u.GroupVersionKind())
			}
		}
	})
}

// checkLines wants a position on each line of an error.
func checkLines(t *testing.T, err error, file string) {
	t.Helper()
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if !strings.HasPrefix(line, file+": document ") {
			t.Errorf("bad error text %q", err)
		}
	}
}

// checkMistakes wants mistakes if, and only if, a decoder refuses the document.
func checkMistakes(t *testing.T, doc *manifest.Document) {
	t.Helper()
	strict, err := kjson.UnmarshalStrict(doc.JSON, &corev1.Pod{})
	if err := errors.Join(doc.Mistakes(&corev1.Pod{}, true)...); err != nil {
		checkLines(t, err, doc.File)
	}
	if refused := len(doc.Mistakes(&corev1.Pod{}, true)) > 0; refused != (err != nil || len(strict) > 0) {
		t.Errorf("refused: %t, but the decoder says %v, %v", refused, err, strict)
	}
	if refused := len(doc.Mistakes(&corev1.Pod{}, false)) > 0; refused != (err != nil) {
		t.Errorf("refused without strict checks: %t, but the decoder says %v", refused, err)
	}
}

// checkAttached puts something in the place of a part that need have no kind.
func checkAttached(t *testing.T, doc *manifest.Document) {
	t.Helper()
	kind := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	part, err := doc.PartAs("c[1]", kind)
	if err != nil {
		return
	}
	if u, err := part.Unstructured(); err == nil && u.GroupVersionKind() != kind {
		t.Errorf("the part is a %v", u.GroupVersionKind())
	}
	attached := *doc
	attached.Attach("c[1]", &manifest.Document{Kind: kind, JSON: []byte(`{"attached":1}`)})
	if !json.Valid(attached.JSON) || !strings.Contains(string(attached.JSON), `{"attached":1}`) {
		t.Errorf("%s became %s", doc.JSON, attached.JSON)
	}
}

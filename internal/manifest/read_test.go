package manifest_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// transcript writes down what a range over documents gives, one line each.
func transcript(docs iter.Seq2[*manifest.Document, error]) []string {
	var lines []string
	for doc, err := range docs {
		if err != nil {
			lines = append(lines, "error: "+err.Error())
			continue
		}
		line := fmt.Sprintf("%d:%d %s %s", doc.Number, doc.Line, doc.Kind.GroupVersion(), doc.Kind.Kind)
		if doc.Item != "" {
			line += " " + doc.Item
		}
		lines = append(lines, line)
	}
	return lines
}

const (
	podYAML = "apiVersion: v1\nkind: Pod\n"
	podJSON = `{"apiVersion":"v1","kind":"Pod"}`
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		input string
		want  []string
	}
	rows := []test{
		{row{"one", "the plain case"}, podYAML, []string{"1:1 v1 Pod"}},
		{row{"two", "documents are counted, lines are those of the file"},
			podYAML + "---\n" + podYAML, []string{"1:1 v1 Pod", "2:4 v1 Pod"}},
		{row{"nothing", "an empty file holds no document"}, "", nil},
		{row{"separators around", "leading and trailing separators make no documents"},
			"---\n---\n" + podYAML + "---\n---\n", []string{"1:3 v1 Pod"}},
		{row{"only comments", "a comment is no document"},
			"# one\n  # two\n---\n\t\n---\n# three", nil},
		{row{"null", "YAML's and JSON's nothing is no document"},
			"~\n---\nnull\n---\n" + podYAML, []string{"1:5 v1 Pod"}},
		{row{"comment above", "the line is the one to look at, not the licence above it"},
			"# Licence\n\n---\n# A pod.\n\n" + podYAML, []string{"1:6 v1 Pod"}},
		{row{"separator with comment", "a separator may be annotated, as helm does"},
			"--- # Source: a.yaml\n" + podYAML + "---\t\n" + podYAML, []string{"1:2 v1 Pod", "2:5 v1 Pod"}},
		{row{"object on the separator line", "YAML allows it"},
			podYAML + "--- {apiVersion: v1, kind: Secret}", []string{"1:1 v1 Pod", "2:3 v1 Secret"}},
		{row{"end marker", "three dots end a document too"},
			podYAML + "...\n" + podYAML + "...\n", []string{"1:1 v1 Pod", "2:4 v1 Pod"}},
		{row{"CRLF", "files from Windows"},
			"apiVersion: v1\r\nkind: Pod\r\n---\r\napiVersion: v1\r\nkind: Secret\r\n", []string{"1:1 v1 Pod", "2:4 v1 Secret"}},
		{row{"byte order marks", "at the start, and where two files were joined"},
			"\ufeff" + podYAML + "\ufeff---\n" + podYAML, []string{"1:1 v1 Pod", "2:4 v1 Pod"}},
		{row{"no final line feed", "the last line counts"},
			"kind: Pod\napiVersion: v1", []string{"1:1 v1 Pod"}},
		{row{"dashes in text", "only a line of its own separates"},
			podYAML + "x: |\n  ---\n  a\n---b: c\n", []string{"1:1 v1 Pod"}},
		{row{"JSON", "JSON in a file of any name"}, "\n" + podJSON + "\n", []string{"1:2 v1 Pod"}},
		{row{"JSON values in a row", "what kubectl get --watch -o json prints"},
			podJSON + podJSON + "\n\n" + podJSON, []string{"1:1 v1 Pod", "2:1 v1 Pod", "3:3 v1 Pod"}},
		{row{"JSON and YAML", "each part is what it is"},
			podYAML + "---\n" + podJSON + "\n" + podJSON, []string{"1:1 v1 Pod", "2:4 v1 Pod", "3:5 v1 Pod"}},
		{row{"flow mapping", "YAML that looks like JSON"},
			"{apiVersion: v1, kind: Pod}", []string{"1:1 v1 Pod"}},
		{row{"JSON with comment", "YAML again"},
			podJSON + " # the pod\n", []string{"1:1 v1 Pod"}},
		{row{"JSON with surrogates", "YAML would refuse the emoji"},
			`{"apiVersion":"v1","kind":"Pod","x":"\ud83d\ude00"}`, []string{"1:1 v1 Pod"}},
		{row{"JSON with tabs", "YAML would refuse the indentation"},
			"{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"Pod\"\n}", []string{"1:1 v1 Pod"}},
		{row{"group", "the group is part of the kind"},
			"apiVersion: apps/v1\nkind: Deployment", []string{"1:1 apps/v1 Deployment"}},
		{row{"list", "a v1 List is its items, each with its line"},
			"apiVersion: v1\nkind: List\nmetadata: {resourceVersion: \"\"}\nitems:\n- apiVersion: v1\n  kind: Pod\n-\n  kind: Secret\n  apiVersion: v1\n",
			[]string{"1:5 v1 Pod items[0]", "1:8 v1 Secret items[1]"}},
		{row{"list in list", "lists are unpacked however deep"},
			`{"apiVersion":"v1","kind":"List","items":[` + "\n" + `{"apiVersion":"v1","kind":"List","items":[` + "\n" + podJSON + `]},` + podJSON + `]}`,
			[]string{"1:3 v1 Pod items[0].items[0]", "1:3 v1 Pod items[1]"}},
		{row{"empty list", "kubectl get prints one when there is nothing"},
			"apiVersion: v1\nkind: List\nitems: []\n", nil},
		{row{"list of a kind", "API servers return such lists, whose items do not name their kind"},
			"apiVersion: v1\nkind: PodList\nmetadata: {resourceVersion: '7'}\nitems:\n- metadata: {name: a}\n", []string{"1:5 v1 Pod items[0]"}},
		{row{"no list", "its name ends so, but it has a name and no items"},
			"apiVersion: v1\nkind: PodList\nmetadata: {name: a}\nitems: []\n---\napiVersion: v1\nkind: AllowList\n", []string{"1:1 v1 PodList", "2:6 v1 AllowList"}},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		got := transcript(manifest.Documents("pods.yaml", strings.NewReader(r.input)))
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.Why(), diff)
		}
	})
}

package kinds_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		input, want string
		// loosely is what it is to DecodeLoosely; empty says the same.
		loosely string
	}
	rows := []test{
		{row{"built in", "a Go type"}, "apiVersion: v1\nkind: Pod\n", "*v1.Pod", ""},
		{row{"custom", "no Go type"}, "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a, labels: {b: c}}\nspec: {any: thing}\n", "*unstructured.Unstructured", ""},
		{row{"without metadata", "names may be generated"}, "apiVersion: example.com/v1\nkind: Widget\n", "*unstructured.Unstructured", ""},
		{row{"options", "not a resource, but the body of a request"}, "apiVersion: v1\nkind: PodExecOptions\ncommand: [ls]\n", "*v1.PodExecOptions", ""},
		{row{"unknown field", "built-in kinds are strict"}, "apiVersion: v1\nkind: Pod\nspec:\n  a: b\n", `a.yaml: document 1 (line 4): unknown field "spec.a"`, "*v1.Pod"},
		{row{"unknown kind", "the line is that of the kind"}, "apiVersion: example.com/v1\nkind: Foo\n",
			`a.yaml: document 1 (line 2): kind: unknown kind "Foo" in example.com/v1: add the CustomResourceDefinition that defines it to the inputs`, ""},
		{row{"metadata is text", "nothing could be read from it"}, "apiVersion: example.com/v1\nkind: Widget\nmetadata: a\n", `a.yaml: document 1 (line 3): metadata: must be an object, but is a string`, ""},
		{row{"misspelt metadata", "selectors would not see the labels"}, "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  label: {}\n", `a.yaml: document 1 (line 4): unknown field "metadata.label"`, "*unstructured.Unstructured"},
		{row{"label of the wrong type", "YAML makes booleans of yes"}, "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  labels: {a: yes}\n", `a.yaml: document 1 (line 4): metadata.labels.a: must be a string, but is a boolean`, ""},
		{row{"duplicate in a custom object", "in JSON as in YAML"}, `{"apiVersion":"example.com/v1","kind":"Widget","spec":{"a":1,"a":2}}`, `a.yaml: document 1 (line 1): duplicate field "spec.a"`, ""},
	}
	r := taught(t)
	testtable.Run(t, rows, func(t *testing.T, test test) {
		for doc, err := range manifest.Documents("a.yaml", strings.NewReader(test.input)) {
			if err != nil {
				t.Fatal(err)
			}
			if got := textOf(r.Decode(doc)); got != test.want {
				t.Errorf("%s:\n got %s\nwant %s", test.Why(), got, test.want)
			}
			if got := textOf(r.DecodeLoosely(doc)); got != cmp.Or(test.loosely, test.want) {
				t.Errorf("loosely:\n got %s\nwant %s", got, cmp.Or(test.loosely, test.want))
			}
		}
	})
}

func textOf(object runtime.Object, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%T", object)
}

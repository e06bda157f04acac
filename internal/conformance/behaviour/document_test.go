package behaviour

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/testutil/testtable"
)

type applied struct {
	row
	operations string
	// known reports whether all of them are applied.
	known bool
}

// TestDocument has operations make of an object what the library makes of it that
// kube-apiserver applies patches with.
func TestDocument(t *testing.T) {
	t.Parallel()
	const object = `{"a":{"b":1,"c/d":{"e~f":2}},"l":[1,{"x":2},3]}`
	testtable.Run(t, []applied{
		{row{"add", "the usual one"}, `[{"op":"add","path":"/a/n","value":{"m":null}}]`, true},
		{row{"add over", "it replaces"}, `[{"op":"add","path":"/a/b","value":[]}]`, true},
		{row{"insert", "it is put before"}, `[{"op":"add","path":"/l/1","value":0}]`, true},
		{row{"append", "there is a way to write the end"}, `[{"op":"add","path":"/l/-","value":4},{"op":"add","path":"/l/4","value":5}]`, true},
		{row{"replace", "in an object and in a list"}, `[{"op":"replace","path":"/a/b","value":2},{"op":"replace","path":"/l/0","value":2}]`, true},
		{row{"replace all", "it is a place like any other"}, `[{"op":"replace","path":"","value":{"z":1}},{"op":"add","path":"/y","value":2}]`, true},
		{row{"remove", "from an object and from a list"}, `[{"op":"remove","path":"/a/b"},{"op":"remove","path":"/l/1"},{"op":"remove","path":"/l/0"}]`, true},
		{row{"move", "what is moved is not where it was"}, `[{"op":"move","from":"/l/1","path":"/a/l"},{"op":"move","from":"/a/b","path":"/l/-"}]`, true},
		{row{"copy", "a copy is on its own"}, `[{"op":"copy","from":"/a","path":"/c"},{"op":"add","path":"/c/b","value":2},{"op":"copy","from":"/a/b","path":"/l/0"}]`, true},
		{row{"test", "it changes nothing"}, `[{"op":"test","path":"/a/b","value":1},{"op":"remove","path":"/a"}]`, true},
		{row{"escaped", "keys have slashes"}, `[{"op":"replace","path":"/a/c~1d/e~0f","value":3}]`, true},
		{row{"from the end", "an index below zero is no pointer"}, `[{"op":"remove","path":"/l/-1"}]`, false},
	}, func(t *testing.T, tc applied) {
		got, known := made(t, object, tc.operations)
		if known != tc.known {
			t.Fatalf("known is %t, want %t", known, tc.known)
		}
		if diff := cmp.Diff(byLibrary(t, object, tc.operations), got); known && diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestDocumentRefuses what leads nowhere, without a panic.
func TestDocumentRefuses(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []applied{
		{row{"missing parent", "nothing can be put there"}, `[{"op":"add","path":"/x/y","value":1}]`, false},
		{row{"missing item", "nothing can be taken from there"}, `[{"op":"remove","path":"/a/x"}]`, false},
		{row{"missing source", "nothing can be copied from there"}, `[{"op":"copy","from":"/x","path":"/y"}]`, false},
		{row{"beyond a list", "lists have no gaps"}, `[{"op":"add","path":"/l/9","value":1}]`, false},
		{row{"below a text", "a text has no items"}, `[{"op":"add","path":"/l/0/x","value":1}]`, false},
		{row{"remove all", "there would be no object"}, `[{"op":"remove","path":""}]`, false},
		{row{"no operation", "there are six"}, `[{"op":"mend","path":"/a"}]`, false},
	}, func(t *testing.T, tc applied) {
		if _, known := made(t, `{"a":{},"l":["t"]}`, tc.operations); known != tc.known {
			t.Errorf("known is %t", known)
		}
	})
}

func made(t *testing.T, object, patch string) (any, bool) {
	t.Helper()
	var operations []operation
	d := &document{}
	decode(t, []byte(patch), &operations)
	decode(t, []byte(object), &d.root)
	for i := range operations {
		if !d.apply(&operations[i]) {
			return nil, false
		}
	}
	return reread(t, d.root), true
}

// byLibrary is what a patch should make of an object.
func byLibrary(t *testing.T, object, patch string) any {
	t.Helper()
	x := &probe.Exchange{
		Sent:   []byte(`{"request":{"object":` + object + `}}`),
		Answer: &probe.Answer{Patch: []byte(patch)},
	}
	patched, err := x.Patched()
	if err != nil {
		t.Fatal(err)
	}
	var value any
	decode(t, patched, &value)
	return value
}

// reread returns a value after it was written and read again, so that numbers are alike.
func reread(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var read any
	decode(t, text, &read)
	return read
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

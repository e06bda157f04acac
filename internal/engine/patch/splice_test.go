package patch

import (
	"bytes"
	"math/rand"
	"strings"
	"testing"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/testutil/testtable"
)

type spliceCase struct {
	row
	document, patch string
	spliced         bool // or left to json-patch
}

func TestSplice(t *testing.T) {
	t.Parallel()
	const pod = `{"kind":"Pod","metadata":{"name":"\\\"}","labels":{"b":"1"}},"spec":{"containers":[{"name":"c","args":[]},{"name":"d"}],"n":12}}`
	const blanks = `{ "b" : [ 1, 2 ], "a": "<\u2028>" }`
	deep := strings.Repeat("[", 9_998) + strings.Repeat("]", 9_998)
	wide := `[{"b":"` + strings.Repeat("[{", 10_000) + `"}` + strings.Repeat(",{}", 10_000) + "]"
	deeper := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	testtable.Run(t, []spliceCase{
		{row{"a label", "what most webhooks do; members are sorted wherever the way leads"}, pod, `[{"op":"add","path":"/metadata/labels/a","value":"2"}]`, true},
		{row{"a label that is there", "add replaces"}, pod, `[{"op":"add","path":"/metadata/labels/b","value":` + blanks + `}]`, true},
		{row{"a number", "it has no quotes"}, pod, `[{"op":"replace","path":"/spec/n","value":1e3}]`, true},
		{row{"replace what is not there", "json-patch adds it"}, `{}`, `[{"op":"replace","path":"/a","value":1}]`, true},
		{row{"a sidecar", "at the end of a list"}, pod, `[{"op":"add","path":"/spec/containers/-","value":{"name":"e"}}]`, true},
		{row{"in an element", "an index on the way, an empty list at its end"}, pod, `[{"op":"add","path":"/spec/containers/0/args/-","value":"x"}]`, true},
		{row{"an element before others", "they move"}, pod, `[{"op":"add","path":"/spec/containers/0","value":{"z":1,"a":2}}]`, true},
		{row{"an element behind the last", "the index is the length"}, pod, `[{"op":"add","path":"/spec/containers/2","value":0}]`, true},
		{row{"another element", "it is replaced"}, pod, `[{"op":"replace","path":"/spec/containers/1","value":{}}]`, true},
		{row{"an element less", "the others move"}, pod, `[{"op":"remove","path":"/spec/containers/0"}]`, true},
		{row{"a member less", "the last one of its object"}, pod, `[{"op":"remove","path":"/metadata/labels/b"}]`, true},
		{row{"escapes", "of pointers and of names"}, `{"a":{}}`, `[{"op":"add","path":"/a/b~1c~0","value":1}]`, true},
		{row{"two", "one after the other"}, `{"b":[],"a":{}}`, `[{"op":"add","path":"/a/c","value":1},{"op":"add","path":"/b/-","value":2}]`, true},
		{row{"into what was added", "it is an object like any other"}, `{}`, `[{"op":"add","path":"/a","value":{"c": 1, "b": {}}},{"op":"add","path":"/a/b/d","value":3},{"op":"remove","path":"/a/c"}]`, true},
		{row{"into what was appended", "the same"}, `{"a":[]}`, `[{"op":"add","path":"/a/-","value":{"b" : {}}},{"op":"add","path":"/a/0/b","value":3}]`, true},
		{row{"null", "a value like any other"}, `{"a":null}`, `[{"op":"add","path":"/b","value":null},{"op":"remove","path":"/a"}]`, true},
		{row{"no value", "json-patch adds null"}, `{"a":[1]}`, `[{"op":"add","path":"/b"},{"op":"replace","path":"/a/0"}]`, true},
		{row{"the empty name", "D2: a pointer that is a slash"}, `{"a":1}`, `[{"op":"add","path":"/","value":{}}]`, true},
		{row{"no slash in front", "json-patch skips what is before the first"}, `{"a":{}}`, `[{"op":"add","path":"x/a/b","value":{}}]`, true},
		{row{"values that stay", "D1: what is not on the way keeps its spelling"}, `{"data":{"b":1,"a":1,"a":2},"x":"\u003c"}`, `[{"op":"add","path":"/y","value":1}]`, true},
		{row{"a name twice in a value", "nothing leads into it"}, `{}`, `[{"op":"add","path":"/a","value":{"b":1,"b":2}}]`, true},

		{row{"a name twice on the way", "D1: the last one counts"}, `{"data":{"a":1,"a":2}}`, `[{"op":"replace","path":"/data/a","value":3}]`, false},
		{row{"a name twice in what was added", "the same"}, `{}`, `[{"op":"add","path":"/a","value":{"b":1,"b":2}},{"op":"add","path":"/a/b","value":3}]`, false},
		{row{"a name with an escape", "json-patch writes it anew"}, `{"a":{"\u0062":1,"\u003c":2}}`, `[{"op":"add","path":"/a/b","value":3}]`, false},
		{row{"a name beyond ASCII", "the same"}, `{"a":{"é":1}}`, `[{"op":"add","path":"/a/b","value":3}]`, false},
		{row{"a name beyond ASCII at the root", "the same"}, `{"é":1,"a":{}}`, `[{"op":"add","path":"/a/b","value":3}]`, false},
		{row{"a new name with an escape", "the same"}, `{"a":{}}`, `[{"op":"add","path":"/a/<","value":1}]`, false},
		{row{"a new name with an ampersand", "the same"}, `{"a":{}}`, `[{"op":"add","path":"/a/&","value":1}]`, false},
		{row{"a text that ends with a backslash", "the quote behind it is its end"}, `{"a":"x\\","b":{"c":"\\"},"d":"}"}`, `[{"op":"add","path":"/b/e","value":1}]`, true},
		{row{"no parent", "an error"}, `{}`, `[{"op":"add","path":"/a/b","value":3}]`, false},
		{row{"below a string", "an error"}, `{"a":"x"}`, `[{"op":"add","path":"/a/b","value":3}]`, false},
		{row{"below null", "an error"}, `{"a":null}`, `[{"op":"add","path":"/a/b","value":3}]`, false},
		{row{"an index that is not there", "an error"}, `{"a":[1]}`, `[{"op":"add","path":"/a/2","value":3}]`, false},
		{row{"an index in another form", "json-patch takes it"}, `{"a":[{}]}`, `[{"op":"add","path":"/a/00/b","value":3}]`, false},
		{row{"an index from the end", "json-patch takes it"}, `{"a":[{}]}`, `[{"op":"replace","path":"/a/-1","value":3}]`, false},
		{row{"replace behind the last", "an error"}, `{"a":[1]}`, `[{"op":"replace","path":"/a/1","value":3}]`, false},
		{row{"replace at -", "an error"}, `{"a":[1]}`, `[{"op":"replace","path":"/a/-","value":3}]`, false},
		{row{"remove what is not there", "an error"}, `{"a":1}`, `[{"op":"remove","path":"/b"}]`, false},
		{row{"the root", "an error; replace makes another document"}, `{}`, `[{"op":"add","path":"","value":{}}]`, false},
		{row{"no path", "an error"}, `{}`, `[{"op":"add","value":{}}]`, false},
		{row{"a copy", "of a list that was added to, into an object"}, `{"a":[1],"b":{}}`, `[{"op":"add","path":"/a/-","value":2},{"op":"copy","from":"/a","path":"/b/c"}]`, true},
		{row{"a copy into itself", "it is a copy of what was there before"}, `{"a":{"b":1}}`, `[{"op":"copy","from":"/a","path":"/a/c"},{"op":"copy","from":"/a/c","path":"/a/c/d"}]`, true},
		{row{"a copy below itself", "the path opens and sorts it first"}, `{"a":{"d":1,"b":{}}}`, `[{"op":"copy","from":"/a","path":"/a/b/c"}]`, true},
		{row{"a copy in a list", "the others move"}, `{"a":[1,2]}`, `[{"op":"copy","from":"/a/1","path":"/a/0"},{"op":"copy","from":"/a/0","path":"/a/-"}]`, true},
		{row{"a copy of null", "a value like any other"}, `{"a":null}`, `[{"op":"copy","from":"/a","path":"/b"}]`, true},
		{row{"a copy of nothing", "an error"}, `{"a":{}}`, `[{"op":"copy","from":"/a/b","path":"/c"}]`, false},
		{row{"a copy of the root", "an error"}, `{"a":{}}`, `[{"op":"copy","from":"","path":"/a"}]`, false},
		{row{"another operation", "test and move are rare"}, `{"a":1}`, `[{"op":"test","path":"/a","value":1}]`, false},
		{row{"a long path", "pointers are split into so many names only"}, strings.Repeat(`{"a":`, 32) + `{"b":{}}` + strings.Repeat("}", 32), `[{"op":"add","path":"` + strings.Repeat("/a", 32) + `/b/c","value":1}]`, false},
		{row{"a list", "no object"}, `[1]`, `[{"op":"remove","path":"/0"}]`, false},
		{row{"deep before", "the same, also if the patch removes what is deep"}, `{"a":` + deeper + `}`, `[{"op":"remove","path":"/a"}]`, false},
		{row{"deep", "an error of encoding/json"}, `{"a":{"b":{}}}`, `[{"op":"add","path":"/a/b/c","value":` + deep + `}]`, false},
		{row{"wide", "brackets side by side and in texts are not deep"}, `{"a":` + wide + `}`, `[{"op":"add","path":"/b","value":{}}]`, true},
	}, func(t *testing.T, tc spliceCase) {
		operations, err := Decode([]byte(tc.patch), defaults(t))
		if err != nil {
			t.Fatal(err)
		}
		if spliced := checkSplice(t, operations, []byte(tc.document)); spliced != tc.spliced {
			t.Errorf("spliced: %v, want %v", spliced, tc.spliced)
		}
	})
}

// checkSplice reports whether a patch was spliced. It fails the test unless
// Apply gives the same bytes then.
func checkSplice(t *testing.T, operations Operations, document []byte) bool {
	t.Helper()
	before := bytes.Clone(document)
	got, ok := Splice(operations, document, defaults(t))
	if !bytes.Equal(before, document) {
		t.Fatalf("%s: the document has become %s", before, document)
	}
	if !ok {
		return false
	}
	if want, err := Apply(operations, document, defaults(t)); err != nil || !bytes.Equal(want, got) {
		t.Fatalf("%s on %s: got\n%s, want\n%s, %v", asJSON(t, operations), document, got, want, err)
	}
	return true
}

// FuzzSplice compares what Splice makes of a patch with what Apply makes of it.
func FuzzSplice(f *testing.F) {
	f.Add([]byte{2, 0, 2, 0, 1})                          // add
	f.Add([]byte{9, 4, 4, 2, 0, 0, 5, 0, 1})              // copy an object below itself, add to the copy
	f.Add([]byte{8, 4, 8, 7, 0, 2, 6, 0, 10, 1, 6, 0, 0}) // copy, replace and remove elements
	f.Fuzz(func(t *testing.T, script []byte) {
		document, operations := made(script)
		checkSplice(t, operations, []byte(document))
	})
}

// TestRandomSplices is the fuzz target with fixed seeds.
func TestRandomSplices(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	spliced := 0
	for range 60_000 {
		script := make([]byte, 1+4*(1+random.Intn(3)))
		random.Read(script)
		for i := 1; i < len(script); i += 4 {
			script[i] = []byte{0, 1, 2, 4}[random.Intn(4)] // add, remove, replace or copy
		}
		if document, operations := made(script); checkSplice(t, operations, []byte(document)) {
			spliced++
		}
	}
	if spliced < 5_000 {
		t.Errorf("only %d patches were spliced", spliced)
	}
}

// TestSpliceLimits: beyond a limit, Apply returns an error.
func TestSpliceLimits(t *testing.T) {
	t.Parallel()
	type limitCase struct {
		row
		limits limits.Limits
		want   bool
	}
	operations, err := Decode([]byte(`[{"op":"add","path":"/a","value":"0123456789"},{"op":"copy","from":"/a","path":"/b"}]`), defaults(t))
	if err != nil {
		t.Fatal(err)
	}
	testtable.Run(t, []limitCase{
		{row{"far", "the defaults are"}, limits.Limits{}, true},
		{row{"operations", "one too many"}, limits.Limits{PatchOperations: 1}, false},
		{row{"size", "as much as there may be"}, limits.Limits{PatchedObject: len(`{"a":"0123456789","b":"0123456789"}`)}, true},
		{row{"copies", "exactly what may be copied"}, limits.Limits{PatchCopies: 12}, true},
		{row{"copies too much", "one byte more"}, limits.Limits{PatchCopies: 11}, false},
		{row{"too large", "one byte too many"}, limits.Limits{PatchedObject: len(`{"a":"0123456789","b":"0123456789"}`) - 1}, false},
	}, func(t *testing.T, tc limitCase) {
		if _, got := Splice(operations, []byte(`{}`), limited(t, tc.limits)); got != tc.want {
			t.Errorf("spliced: %v, want %v", got, tc.want)
		}
	})
}

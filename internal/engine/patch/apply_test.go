package patch

import (
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// applyCase is a patch, a document, and the result or the error.
type applyCase struct {
	row
	document, patch string
	want            string
	err             string
}

func runApply(t *testing.T, cases []applyCase) {
	t.Helper()
	testtable.Run(t, cases, func(t *testing.T, tc applyCase) {
		operations, err := Decode([]byte(tc.patch), defaults(t))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Apply(operations, []byte(tc.document), defaults(t))
		if string(got) != tc.want || testtable.Text(err) != tc.err {
			t.Errorf("got %q and error %q\nwant %q and %q", got, testtable.Text(err), tc.want, tc.err)
		}
	})
}

// works is a patch that applies, fails one that does not.
func works(name, why, document, patch, want string) applyCase {
	return applyCase{row{name, why}, document, patch, want, ""}
}

func fails(name, why, document, patch, err string) applyCase {
	return applyCase{row{name, why}, document, patch, "", err}
}

func TestApply(t *testing.T) {
	t.Parallel()
	runApply(t, []applyCase{
		works("add", "RFC 6902", `{"a":1}`, `[{"op":"add","path":"/b","value":{"c":2}}]`, `{"a":1,"b":{"c":2}}`),
		works("add to a list", "RFC 6902", `{"a":[1,3]}`, `[{"op":"add","path":"/a/1","value":2},{"op":"add","path":"/a/-","value":4}]`, `{"a":[1,2,3,4]}`),
		works("remove", "RFC 6902", `{"a":1,"b":2}`, `[{"op":"remove","path":"/a"}]`, `{"b":2}`),
		works("replace", "RFC 6902", `{"a":1}`, `[{"op":"replace","path":"/a","value":2}]`, `{"a":2}`),
		works("move", "RFC 6902", `{"a":1}`, `[{"op":"move","from":"/a","path":"/b"}]`, `{"b":1}`),
		works("copy", "RFC 6902", `{"a":{"x":1}}`, `[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/y","value":2}]`, `{"a":{"x":1},"b":{"x":1,"y":2}}`),
		works("test", "RFC 6902", `{"a":{"x":[1,{"y":null}]}}`, `[{"op":"test","path":"/a","value":{"x":[1,{"y":null}]}}]`, `{"a":{"x":[1,{"y":null}]}}`),
		works("test of the whole", "RFC 6902", `{"a":1}`, `[{"op":"test","path":"","value":{"a":1}}]`, `{"a":1}`),
		works("escaped path", "RFC 6901: ~1 is a slash and ~0 a tilde", `{"a/b":1,"c~d":2}`, `[{"op":"remove","path":"/a~1b"},{"op":"remove","path":"/c~0d"}]`, `{}`),
		works("empty key", "RFC 6901: an empty name is one", `{"":1}`, `[{"op":"remove","path":"/"}]`, `{}`),
		works("no operations", "S-174: nothing happens, but for the form", `{"b": 1, "a": 2}`, `[]`, `{"a":2,"b":1}`),
		works("order of members", "S-178a: members of what was touched are sorted, the rest stays as it is", `{"b":{"z":1,"y":2},"a":0}`, `[{"op":"add","path":"/c","value":0}]`, `{"a":0,"b":{"z":1,"y":2},"c":0}`),
		works("whole document", "S-178: replace with an empty path", `{"a":1}`, `[{"op":"replace","path":"","value":{"b":2}}]`, `{"b":2}`),
		works("whole document by a list", "S-178: of any kind that has members", `{"a":1}`, `[{"op":"replace","path":"","value":[]},{"op":"add","path":"/-","value":1}]`, `[1]`),
		fails("failed test", "S-177", `{"metadata":{"name":"n"}}`, `[{"op":"test","path":"/metadata/name","value":"x"}]`, "testing value /metadata/name failed: test failed"),
		fails("failed test after an add", "a patch applies as a whole or not at all", `{}`, `[{"op":"add","path":"/a","value":1},{"op":"test","path":"/a","value":2}]`, "testing value /a failed: test failed"),
		fails("remove of what is missing", "S-177", `{"metadata":{"labels":{}}}`, `[{"op":"remove","path":"/metadata/labels/zz"}]`,
			"error in remove for path: '/metadata/labels/zz': Unable to remove nonexistent key: zz: missing value"),
		fails("add below what is missing", "S-177", `{"metadata":{}}`, `[{"op":"add","path":"/metadata/annotations/q","value":"1"}]`,
			`add operation does not apply: doc is missing path: "/metadata/annotations/q": missing value`),
		fails("unknown operation", "S-177", `{}`, `[{"op":"nope","path":"/a"}]`, "Unexpected kind: nope"),
		fails("no operation", "S-178a", `{}`, `[{"path":"/a"}]`, "Unexpected kind: unknown"),
		fails("null operation", "S-178a", `{}`, `[null]`, "Unexpected kind: unknown"),
		fails("operation is a number", "S-178a", `{}`, `[{"op":7}]`, "Unexpected kind: unknown"),
		fails("no path", "an operation has to say where", `{}`, `[{"op":"add","value":1}]`, "add operation failed to decode path: missing value"),
		fails("path is a number", "an operation has to say where", `{}`, `[{"op":"replace","path":1}]`,
			"replace operation failed to decode path: json: cannot unmarshal number into Go value of type string"),
		fails("no from", "an operation has to say from where", `{}`, `[{"op":"copy","path":"/a"}]`, "copy operation failed to decode from: operation, missing from field: missing value"),
		fails("path without a slash", "RFC 6901: a path begins with one", `{"a":1}`, `[{"op":"add","path":"a","value":1}]`, `add operation does not apply: doc is missing path: "a": missing value`),
		fails("add at the root", "S-178: only replace can", `{}`, `[{"op":"add","path":"","value":{}}]`, `add operation does not apply: doc is missing path: "": missing value`),
		fails("remove at the root", "S-178: only replace can", `{}`, `[{"op":"remove","path":""}]`, `remove operation does not apply: doc is missing path: "": missing value`),
		fails("replace the root by null", "the text is that of the library", `{}`, `[{"op":"replace","path":"","value":null}]`, "replace operation value must be object or array: %!w(<nil>)"),
		fails("add below a text", "only objects and lists have members", `{"a":"x"}`, `[{"op":"add","path":"/a/b","value":1}]`, `add operation does not apply: doc is missing path: "/a/b": missing value`),
		fails("broken document", "what is patched has to be JSON", `{`, `[]`, "unexpected end of JSON input"),
		fails("document is a number", "what is patched has to have members", `1`, `[]`, "json: cannot unmarshal number into Go value of type jsonpatch.partialDoc"),
	})
}

// The library's deviations from RFC 6902 are visible to users and therefore
// kept (S-178a).
func TestApplyDeviations(t *testing.T) {
	t.Parallel()
	runApply(t, []applyCase{
		works("replace of a missing member", "S-178a: it is added", `{}`, `[{"op":"replace","path":"/a","value":1}]`, `{"a":1}`),
		fails("replace of a missing index", "S-178a: unlike a member", `{"a":[1]}`, `[{"op":"replace","path":"/a/3","value":1}]`, "replace operation does not apply: doc is missing key: /a/3: missing value"),
		fails("replace below a missing parent", "S-178a", `{}`, `[{"op":"replace","path":"/x/y","value":1}]`, "replace operation does not apply: doc is missing path: /x/y: missing value"),
		works("copy of a missing member", "S-178a: it is null", `{}`, `[{"op":"copy","from":"/a","path":"/b"}]`, `{"b":null}`),
		works("test of a missing member against null", "S-178a: they are equal", `{}`, `[{"op":"test","path":"/a","value":null}]`, `{}`),
		works("test of a missing member against nothing", "S-178a: they are equal", `{}`, `[{"op":"test","path":"/a"}]`, `{}`),
		fails("test of a member against nothing", "S-178a", `{"a":1}`, `[{"op":"test","path":"/a"}]`, "testing value /a failed: test failed"),
		works("add at a negative index", "S-178a: counted from behind the end", `{"a":[1]}`, `[{"op":"add","path":"/a/-1","value":2}]`, `{"a":[1,2]}`),
		works("remove at a negative index", "S-178a: counted from the end", `{"a":[1,2]}`, `[{"op":"remove","path":"/a/-1"}]`, `{"a":[1]}`),
		works("replace at a negative index", "S-178a: counted from the end", `{"a":[1,2]}`, `[{"op":"replace","path":"/a/-2","value":0}]`, `{"a":[0,2]}`),
		works("index with a sign", "S-178a: +1 is an index", `{"a":[1,2]}`, `[{"op":"remove","path":"/a/+1"}]`, `{"a":[1]}`),
		works("index with a zero", "S-178a: 01 is an index", `{"a":[1,2]}`, `[{"op":"remove","path":"/a/01"}]`, `{"a":[1]}`),
		works("add without a value", "S-178a: null is added", `{}`, `[{"op":"add","path":"/a"}]`, `{"a":null}`),
		fails("add behind the end", "S-178a", `{"a":[1]}`, `[{"op":"add","path":"/a/5","value":1}]`, "error in add for path: '/a/5': Unable to access invalid index: 5: invalid index referenced"),
		fails("remove before the beginning", "S-178a", `{"a":[]}`, `[{"op":"remove","path":"/a/-1"}]`, "error in remove for path: '/a/-1': Unable to access invalid index: -1: invalid index referenced"),
		fails("add at no index", "S-178a", `{"a":[]}`, `[{"op":"add","path":"/a/x","value":1}]`, `error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`),
		fails("move of a missing member", "S-178a: the text names the key only", `{}`, `[{"op":"move","from":"/zz","path":"/b"}]`, "error in move for path: 'zz': Unable to remove nonexistent key: zz: missing value"),
		fails("test of numbers of two forms", "S-178a: 1 is not 1.0", `{"a":1}`, `[{"op":"test","path":"/a","value":1.0}]`, "testing value /a failed: test failed"),
		fails("test of texts of two forms", "S-178a: é is not its escape", `{"a":"é"}`, `[{"op":"test","path":"/a","value":"\u00e9"}]`, "testing value /a failed: test failed"),
		works("HTML", "S-178a: escaped on the way out", `{"a":"<"}`, `[{"op":"add","path":"/b","value":"&"}]`, `{"a":"\u003c","b":"\u0026"}`),
	})
}

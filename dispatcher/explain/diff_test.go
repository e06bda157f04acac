package explain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/testtable"
)

type diffCase struct {
	row
	before, after string
	// want has one change per line, in the form of shownChanges.
	want []string
}

func TestDiff(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []diffCase{
		{row{"nothing", "equal documents have no differences"}, `{"a":1}`, ` {"a": 1} `, nil},
		{row{"order of keys", "the order of keys has no meaning in JSON"}, `{"a":1,"b":[{"x":1,"y":2}]}`, `{"b":[{"y":2,"x":1}],"a":1}`, nil},
		{row{"escapes", "strings are compared after decoding"}, `{"a":"<é"}`, `{"\u0061":"\u003c\u00e9"}`, nil},
		{row{"created", "an object was created"}, ``, `{"a": {}}`, []string{`add : {"a":{}}`}},
		{row{"deleted", "an object was deleted"}, `{"a":1}`, ``, []string{`remove : {"a":1}`}},
		{row{"never there", "both states are absent"}, ``, ` `, nil},
		{row{"null", "null is a value"}, `null`, `{}`, []string{`replace : null → {}`}},
		{row{"replaced", "the usual case"}, `{"spec":{"a":1}}`, `{"spec":{"a":2}}`, []string{"replace spec.a: 1 → 2"}},
		{row{"added", "a field"}, `{"spec":{"a":1}}`, `{"spec":{"a":1,"b":2}}`, []string{"add spec.b: 2"}},
		{row{"removed", "a field"}, `{"spec":{"a":1,"b":2}}`, `{"spec":{"a":1}}`, []string{"remove spec.b: 2"}},
		{row{"a whole part", "one change, not one per leaf"}, `{"m":{}}`, `{"m":{"labels":{"b":"2","a":"1"}}}`, []string{`add m.labels: {"a":"1","b":"2"}`}},
		{row{"emptied", "the map itself stays"}, `{"m":{"a":1}}`, `{"m":{}}`, []string{"remove m.a: 1"}},
		{row{"another form", "a map and a string are not compared by item"}, `{"a":"x"}`, `{"a":{"b":1}}`, []string{`replace a: "x" → {"b":1}`}},
		{row{"list or map", "an empty list is no empty map"}, `{"a":[]}`, `{"a":{}}`, []string{"replace a: [] → {}"}},
		{row{"document order", "metadata comes before spec, and status last"}, `{}`,
			`{"status":1,"data":2,"spec":3,"metadata":4,"kind":5,"apiVersion":6,"zone":7}`,
			[]string{"add apiVersion: 6", "add kind: 5", "add metadata: 4", "add spec: 3", "add data: 2", "add zone: 7", "add status: 1"}},
		{row{"inner order", "only keys at the root have a special order"}, `{"x":{}}`, `{"x":{"spec":1,"data":2}}`, []string{"add x.data: 2", "add x.spec: 1"}},
		{row{"same number", "1.0 equals 1"}, `{"a":[1,-0,100,1.50]}`, `{"a":[1.0,0,1e2,15E-1]}`, nil},
		{row{"big numbers", "floats are equal beyond 2^53"}, `{"a":9007199254740993}`, `{"a":9007199254740992}`, []string{"replace a: 9007199254740993 → 9007199254740992"}},
		{row{"huge exponents", "such numbers are compared by their literals"}, `{"a":1e99999999999999999999}`, `{"a":1e99999999999999999998}`, []string{"replace a: 1e99999999999999999999 → 1e99999999999999999998"}},
		{row{"number and string", "ports may be either"}, `{"a":80}`, `{"a":"80"}`, []string{`replace a: 80 → "80"`}},
		{row{"repeated key", "the last one counts, as in encoding/json"}, `{"a":1,"b":1,"a":2}`, `{"a":2,"b":1}`, nil},
		{row{"odd keys", "they need quotes"}, `{"a":{}}`, `{"a":{"x/y":1,"":2}}`, []string{"add a['']: 2", "add a['x/y']: 1"}},

		{row{"sidecar first", "existing items only have another index"}, `{"c":[{"name":"app","image":"a"}]}`, `{"c":[{"name":"mesh"},{"name":"app","image":"b"}]}`,
			[]string{`add c[0]: {"name":"mesh"}`, `replace c[1].image: "a" → "b"`}},
		{row{"container removed", "its path is the one before the change"}, `{"c":[{"name":"a"},{"name":"b","x":1}]}`, `{"c":[{"name":"b","x":2}]}`,
			[]string{`remove c[0]: {"name":"a"}`, "replace c[0].x: 1 → 2"}},
		{row{"renamed", "containers are identified by name"}, `{"c":[{"name":"a"}]}`, `{"c":[{"name":"b"}]}`, []string{`remove c[0]: {"name":"a"}`, `add c[0]: {"name":"b"}`}},
		{row{"swapped", "moves and changes are listed separately"}, `{"c":[{"name":"a"},{"name":"b","x":1}]}`, `{"c":[{"name":"b","x":2},{"name":"a"}]}`,
			[]string{"move c[0] from c[1]", "replace c[0].x: 1 → 2"}},
		{row{"ports", "not all ports have a name"}, `{"p":[{"containerPort":1},{"containerPort":2,"name":"b"}]}`, `{"p":[{"containerPort":2,"name":"c"}]}`,
			[]string{`remove p[0]: {"containerPort":1}`, `replace p[0].name: "b" → "c"`}},
		{row{"names twice", "mounts of one volume are identified by their paths"},
			`{"m":[{"name":"v","mountPath":"/a"},{"name":"v","mountPath":"/b","ro":true}]}`, `{"m":[{"name":"v","mountPath":"/b"}]}`,
			[]string{`remove m[0]: {"mountPath":"/a","name":"v"}`, "remove m[1].ro: true"}},
		{row{"names null", "null identifies no item"}, `{"m":[{"name":null,"x":1}]}`, `{"m":[{"name":null,"x":2}]}`, []string{"replace m[0].x: 1 → 2"}},
		{row{"no keys", "equal items stay; others follow their neighbours"}, `{"r":[{"v":[1]},{"v":[2]}]}`, `{"r":[{"v":[1]},{"v":[3]}]}`, []string{"replace r[1].v[0]: 2 → 3"}},
		{row{"strings", "an argument was inserted"}, `{"a":["x","y","z"]}`, `{"a":["x","n","y","z"]}`, []string{`add a[1]: "n"`}},
		{row{"string replaced", "an argument was replaced"}, `{"a":["x","y","z"]}`, `{"a":["x","n","z"]}`, []string{`replace a[1]: "y" → "n"`}},
		{row{"strings swapped", "only the order changed"}, `{"a":["x","y"]}`, `{"a":["y","x"]}`, []string{"move a[0] from a[1]"}},
		{row{"repeated strings", "equal items are matched first with first"}, `{"a":["-v","a","-v","b","-v","c"]}`, `{"a":["-v","b","-v","c","-v"]}`,
			[]string{`remove a[1]: "a"`, `move a[1] from a[3]`, `move a[3] from a[5]`}},
		{row{"to the front", "only the moved item is listed"}, `{"a":["a","b","c","d"]}`, `{"a":["d","a","b","c"]}`, []string{"move a[0] from a[3]"}},
		{row{"replaced between", "an item follows its neighbour"}, `{"a":[1,"x",2,"y",3]}`, `{"a":[1,2,"z",4,3]}`,
			[]string{`remove a[1]: "x"`, `replace a[2]: "y" → "z"`, "add a[3]: 4"}},
	}, func(t *testing.T, tc diffCase) {
		if d := cmp.Diff(tc.want, shownChanges(diff(t, tc.before, tc.after))); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

func diff(t testing.TB, before, after string) []explain.Change {
	t.Helper()
	changes, err := explain.Diff(json.RawMessage(before), json.RawMessage(after))
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// shownChanges formats changes.
func shownChanges(changes []explain.Change) []string {
	var lines []string
	for _, c := range changes {
		line := c.Op + " " + c.Path
		switch {
		case c.Op == "move":
			line += " from " + c.From
		case c.Old != nil && c.New != nil:
			line += ": " + string(c.Old) + " → " + string(c.New)
		default:
			line += ": " + string(c.Old) + string(c.New)
		}
		lines = append(lines, line)
	}
	return lines
}

type diffErrorCase struct {
	row
	before, after, want string
}

func TestDiffErrors(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []diffErrorCase{
		{row{"before", "the message names the invalid state"}, `{`, `{}`, "reading the object before the change: unexpected end of JSON input"},
		{row{"after", "the message names the invalid state"}, `{}`, `{"a":tru}`, "reading the object after the change: invalid character '}' in literal true (expecting 'e')"},
		{row{"two documents", "a state is one document"}, `{}`, `{}{}`, "reading the object after the change: invalid character '{' after top-level value"},
		{row{"too deep", "recursion is limited"}, `{}`, strings.Repeat("[", 20000), "reading the object after the change: invalid character '[' exceeded max depth"},
	}, func(t *testing.T, tc diffErrorCase) {
		if _, err := explain.Diff(json.RawMessage(tc.before), json.RawMessage(tc.after)); testtable.Text(err) != tc.want {
			t.Errorf("want %s\ngot  %v", tc.want, err)
		}
	})
}

// TestDiffStrings wants the values of strings to be preserved.
func TestDiffStrings(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`"a\"b\\\n\u0001"`: `"a\"b\\\n\u0001"`,
		`"<b>&"`:           `"<b>&"`,
		"\"\xff\"":         `"` + "\ufffd" + `"`,
		`"\ud800"`:         `"` + "\ufffd" + `"`,
	} {
		got := diff(t, `{}`, `{"a":`+in+`}`)
		if len(got) != 1 || string(got[0].New) != want {
			t.Errorf("%q: got %s, want %s", in, shownChanges(got), want)
		}
	}
}

package patch

import (
	"encoding/json"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// decodeCase is a patch and the number of its operations, or the error.
type decodeCase struct {
	row
	patch string
	want  int
	err   string
}

func TestDecode(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []decodeCase{
		{row{"one operation", "the plain case"}, `[{"op":"add","path":"/a","value":1}]`, 1, ""},
		{row{"two operations", "the plain case"}, `[{"op":"remove","path":"/a"},{"op":"remove","path":"/b"}]`, 2, ""},
		{row{"empty list", "S-174: no operations are a patch"}, `[]`, 0, ""},
		{row{"null", "S-174: no operations are a patch"}, `null`, 0, ""},
		{row{"blanks", "blanks mean nothing in JSON"}, " [ ] \n", 0, ""},
		{row{"nonsense operation", "S-177: an operation is validated when it is applied"}, `[{"op":7},{},null]`, 3, ""},
		{row{"empty", "S-174: undecodable"}, "", 0, "unexpected end of JSON input"},
		{row{"broken", "S-174: undecodable"}, `[{"op":`, 0, "unexpected end of JSON input"},
		{row{"not JSON", "S-174: undecodable"}, `hello`, 0, "invalid character 'h' looking for beginning of value"},
		{row{"trailing garbage", "S-174: undecodable"}, `[]]`, 0, "invalid character ']' after top-level value"},
		{row{"merge patch", "S-174: an object is no list of operations"}, `{"metadata":{"labels":{"a":"b"}}}`, 0, "json: cannot unmarshal object into Go value of type jsonpatch.Patch"},
		{row{"list of texts", "S-174: a text is no operation"}, `["add"]`, 0, "json: cannot unmarshal string into Go value of type jsonpatch.Operation"},
	}, func(t *testing.T, tc decodeCase) {
		got, err := Decode([]byte(tc.patch), defaults(t))
		if len(got) != tc.want || testtable.Text(err) != tc.err {
			t.Errorf("%d operations and error %q, want %d and %q", len(got), testtable.Text(err), tc.want, tc.err)
		}
	})
}

// jsonCase is a list of operations and its JSON.
type jsonCase struct {
	row
	patch, want string
}

// Operations as JSON are what the audit annotation shows (S-314).
func TestOperationsAsJSON(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []jsonCase{
		{row{"alphabetical", "S-314: members are sorted, from before op"}, `[{"value":1,"path":"/a","op":"add","from":"/b"}]`, `[{"from":"/b","op":"add","path":"/a","value":1}]`},
		{row{"compact", "S-314: blanks are dropped, also inside of values"}, "[ {\"op\": \"add\",\n \"value\": { \"b\": 1, \"a\": [ 2 ] } } ]", `[{"op":"add","value":{"b":1,"a":[2]}}]`},
		{row{"escaped", "S-314: HTML is escaped"}, `[{"op":"add","value":"<&>"}]`, `[{"op":"add","value":"\u003c\u0026\u003e"}]`},
		{row{"unknown members", "S-314: everything that came is shown"}, `[{"x":null,"op":"add"}]`, `[{"op":"add","x":null}]`},
		{row{"repeated members", "G23: the last one counts"}, `[{"op":"add","op":"remove"}]`, `[{"op":"remove"}]`},
		{row{"order of operations", "S-314: operations stay in order"}, `[{"op":"z"},{"op":"a"}]`, `[{"op":"z"},{"op":"a"}]`},
		{row{"numbers", "S-314: numbers keep their form"}, `[{"value":1.0e2}]`, `[{"value":1.0e2}]`},
	}, func(t *testing.T, tc jsonCase) {
		operations, err := Decode([]byte(tc.patch), defaults(t))
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(operations)
		if err != nil || string(got) != tc.want {
			t.Errorf("got %s, %v, want %s", got, err, tc.want)
		}
	})
}

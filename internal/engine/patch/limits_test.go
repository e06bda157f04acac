package patch

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/testutil/testtable"
)

// limitRow is a patch at or beyond a limit. A limit that is not given is the
// default.
type limitRow struct {
	row
	limits          limits.Limits
	document, patch string
	// field is the limit that is exceeded, if one is.
	field string
}

// list returns n times an operation.
func list(n int, operation string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(operation+",", n), ",") + "]"
}

// doubling is a patch that n times copies all there is.
func doubling(n int) string {
	operations := make([]string, n)
	for i := range operations {
		operations[i] = fmt.Sprintf(`{"op":"copy","from":"/a","path":"/a/x%d"}`, i)
	}
	return "[" + strings.Join(operations, ",") + "]"
}

func limitRows() []limitRow {
	const (
		add     = `{"op":"add","path":"/a","value":1}`
		copying = `[{"op":"copy","from":"/a","path":"/b"}]`
		ten     = `{"a":"12345678"}` // ten bytes to copy
		eight   = `{"a":"<é>"}`      // the é has two bytes, < and > become six each
	)
	return []limitRow{
		{row{"operations below", "as many as allowed"}, limits.Limits{PatchOperations: 3}, `{}`, list(3, add), ""},
		{row{"operations above", "G29: one more"}, limits.Limits{PatchOperations: 3}, `{}`, list(4, add), "PatchOperations"},
		{row{"operations by default below", "10,000 are allowed"}, limits.Limits{}, `{}`, list(10_000, add), ""},
		{row{"operations by default above", "G29: and no more"}, limits.Limits{}, `{}`, list(10_001, add), "PatchOperations"},
		{row{"size below", "a patch of just this size"}, limits.Limits{PatchSize: len(add) + 2}, `{}`, list(1, add), ""},
		{row{"size above", "one byte more"}, limits.Limits{PatchSize: len(add) + 1}, `{}`, list(1, add), "PatchSize"},
		{row{"object below", "an object of just this size"}, limits.Limits{PatchedObject: len(`{"a":1}`)}, `{}`, list(1, add), ""},
		{row{"object above", "one byte more"}, limits.Limits{PatchedObject: len(`{"a":1}`) - 1}, `{}`, list(1, add), "PatchedObject"},
		{row{"object that was too large before", "a patch may make it smaller"}, limits.Limits{PatchedObject: 4}, `{"a":1}`, `[{"op":"remove","path":"/a"}]`, ""},
		{row{"copies below", "G28: exactly what may be copied"}, limits.Limits{PatchCopies: 10}, ten, copying, ""},
		{row{"copies above", "G28: one byte more"}, limits.Limits{PatchCopies: 9}, ten, copying, "PatchCopies"},
		{row{"copies with escapes below", "what counts is the size as it is written"}, limits.Limits{PatchCopies: 16}, eight, copying, ""},
		{row{"copies with escapes above", "what counts is the size as it is written"}, limits.Limits{PatchCopies: 15}, eight, copying, "PatchCopies"},
		{row{"copies in a list below", "a list is measured as well"}, limits.Limits{PatchCopies: 3}, `["x"]`, `[{"op":"copy","from":"/0","path":"/-"}]`, ""},
		{row{"copies in a list above", "a list is measured as well"}, limits.Limits{PatchCopies: 2}, `["x"]`, `[{"op":"copy","from":"/0","path":"/-"}]`, "PatchCopies"},
		{row{"copies of what was moved", "it is at another place than in the document"}, limits.Limits{PatchCopies: 9}, ten,
			`[{"op":"move","from":"/a","path":"/b"},{"op":"copy","from":"/b","path":"/c"}]`, "PatchCopies"},
		{row{"copies of a part", "it came as part of a whole"}, limits.Limits{PatchCopies: 9}, `{}`,
			`[{"op":"add","path":"/a","value":{"b":"12345678"}},{"op":"copy","from":"/a/b","path":"/c"}]`, "PatchCopies"},
		{row{"copies after a failed test", "tests are not run to measure; either error is an internal one"}, limits.Limits{PatchCopies: 9}, ten,
			`[{"op":"test","path":"/a","value":"1"},{"op":"copy","from":"/a","path":"/b"}]`, "PatchCopies"},
		{row{"copies of what tests can tell apart", "a text that is written again is another to a test"}, limits.Limits{PatchCopies: 16}, `{}`,
			`[{"op":"add","path":"/a","value":"<é>"},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/a","value":"<é>"}]`, ""},
		{row{"many copies of little", "the sum of many is no more than what they copy"}, limits.Limits{}, `{"a":"1","b":{}}`, list(9_999, `{"op":"copy","from":"/a","path":"/b/c"}`), ""},
		{row{"copies that double", "G28: less than 2 KB that would make 250 MB"}, limits.Limits{}, `{"a":{"k":"` + strings.Repeat("x", 1000) + `"}}`, doubling(18), "PatchCopies"},
		{row{"copies that double without end", "no integer is large enough"}, limits.Limits{}, `{"a":{"k":"x"}}`, doubling(5_000), "PatchCopies"},
		{row{"copies below themselves below", "what doubles may fit"}, limits.Limits{}, `{"a":{"k":"` + strings.Repeat("x", 1000) + `"}}`, doubling(11), ""},
		{row{"copies that take too long to measure", "a bound of work as much as of size"}, limits.Limits{}, `{"a":"` + strings.Repeat("<", 1<<19) + `","b":[]}`,
			list(200, `{"op":"copy","from":"/b","path":"/b/-"}`), "PatchCopies"},
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	testtable.Run(t, limitRows(), func(t *testing.T, tc limitRow) {
		l := limited(t, tc.limits)
		operations, err := Decode([]byte(tc.patch), l)
		if err == nil {
			_, err = Apply(operations, []byte(tc.document), l)
		}
		var exceeded *limits.Error
		switch errors.As(err, &exceeded); {
		case exceeded == nil && err != nil:
			t.Fatal(err)
		case tc.field == "" && err != nil:
			t.Errorf("error %v, want none", err)
		case tc.field != "" && (err == nil || exceeded.Field != tc.field || !strings.Contains(err.Error(), tc.field)):
			t.Errorf("error %v, want one that names %s", err, tc.field)
		}
	})
}

// growthRow makes a document and a patch of a size.
type growthRow struct {
	row
	made func(n int) (document, patch string)
}

// TestWorkGrowsWithSize counts what is allocated for a patch that exceeds a
// limit and for one twice as large: what is quadratic takes four times as much.
// So nothing runs at the same time.
func TestWorkGrowsWithSize(t *testing.T) {
	const little = 1 << 20 // less than a patch's own size says nothing
	l := limited(t, limits.Limits{})
	for _, tc := range testtable.Checked(t, []growthRow{
		{row{"operations", "each may write the document again"}, func(n int) (string, string) {
			return `{}`, list(10_001*n, `{"op":"add","path":"/a","value":1}`)
		}},
		{row{"copies that double", "each may double the document"}, func(n int) (string, string) {
			return `{"a":{"k":"x"}}`, doubling(2_500 * n)
		}},
		{row{"copies in a large document", "to measure each is to go through the document"}, func(n int) (string, string) {
			return `{"a":"` + strings.Repeat("<", n<<18) + `","b":{}}`, list(101*n, `{"op":"copy","from":"/b","path":"/b/x"}`)
		}},
	}) {
		apply := func(n int) uint64 {
			document, patch := tc.made(n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			operations, err := Decode([]byte(patch), l)
			if err == nil {
				_, err = Apply(operations, []byte(document), l)
			}
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Errorf("%s: no limit was exceeded", tc.Name())
			}
			return after.TotalAlloc - before.TotalAlloc
		}
		if once, twice := apply(1), apply(2); twice >= 3*max(once, little) {
			t.Errorf("%s: %d bytes are allocated, and %d for a patch twice as large (%s)", tc.Name(), once, twice, tc.Why())
		}
	}
}

type quickRow struct {
	row
	document, patch string
	want            bool
}

func TestQuick(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("/0", 5000)
	testtable.Run(t, []quickRow{
		{row{"small", "the plain case"}, `{"a":1}`, `[{"op":"add","path":"/b","value":1}]`, true},
		{row{"many operations", "each may move a list"}, `{"a":1}`, list(100, `{"op":"add","path":"/b","value":1}`), false},
		{row{"just few operations", "each may move a list"}, `{"a":1}`, list(99, `{"op":"add","path":"/b","value":1}`), true},
		{row{"large object", "all of it is gone through"}, `{"a":"` + strings.Repeat("x", 2<<20) + `"}`, `[{"op":"add","path":"/b","value":1}]`, false},
		{row{"large value", "it is part of the result"}, `{}`, `[{"op":"add","path":"/b","value":"` + strings.Repeat("x", 2<<20) + `"}]`, false},
		{row{"copies", "they are part of the result"}, `{"a":{"k":"x"}}`, doubling(30), false},
		{row{"few copies", "they are part of the result"}, `{"a":{"k":"x"}}`, doubling(3), true},
		{row{"deep path", "every level is parsed with all that is below"}, `{}`, `[{"op":"add","path":"` + deep + `","value":1}]`, false},
		{row{"deep path in disguise", "a slash can be escaped"}, `{}`, `[{"op":"add","path":"` + strings.ReplaceAll(deep, "/", `\/`) + `","value":1}]`, false},
		{row{"deep path in another disguise", "a slash has a number, too"}, `{}`, `[{"op":"add","path":"` + strings.ReplaceAll(deep, "/", `\u002f`) + `","value":1}]`, false},
		{row{"null and nothing", "members may be missing"}, `{}`, `[null,{"op":null,"path":null}]`, true},
	}, func(t *testing.T, tc quickRow) {
		operations, err := Decode([]byte(tc.patch), defaults(t))
		if err != nil {
			t.Fatal(err)
		}
		if got := Quick(operations, []byte(tc.document)); got != tc.want {
			t.Errorf("quick: %v, want %v", got, tc.want)
		}
	})
}

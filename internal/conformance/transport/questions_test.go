package transport

import (
	"slices"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestOperations compares patches as far as the API server tells them apart.
func TestOperations(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		a, b string
		same bool
	}
	const (
		one = `{"op":"add","path":"/a","value":{"x":1,"y":2}}`
		two = `{"op":"add","path":"/b","value":"<"}`
	)
	testtable.Run(t, []test{
		{testtable.Row{"equal", "nothing differs"}, "[" + one + "]", "[" + one + "]", true},
		{testtable.Row{"order of operations", "a map has none"},
			"[" + one + "," + two + "]", "[" + two + "," + one + "]", true},
		{testtable.Row{"order of keys", "they are the fields of an object"},
			"[" + one + "]", `[{"value":{"y":2,"x":1}, "path":"/a","op":"add"}]`, true},
		{testtable.Row{"another value", "it is another answer"}, "[" + one + "]",
			`[{"op":"add","path":"/a","value":{"x":1,"y":3}}]`, false},
		{testtable.Row{"no patch", "it is compared as it is"}, "{", "{ ", false},
	}, func(t *testing.T, tc test) {
		if same := slices.Equal(operations([]byte(tc.a)), operations([]byte(tc.b))); same != tc.same {
			t.Errorf("%s: same: %t", tc.Why(), same)
		}
	})
}

package mention

import (
	"fmt"
	"testing"
)

// TestDoubling: a value that each variable has twice as often is kept once. Paths that are
// all different are bounded.
func TestDoubling(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		// next is the expression of a variable, from that before it.
		why, next string
		reads     int
	}{
		{"a sum", "%[1]s + %[1]s", 1},
		{"a condition", "true ? %[1]s : %[1]s", 1},
		{"a list", "[%[1]s, %[1]s]", 1},
		{"a map", "{%[1]s: %[1]s}", 1},
		{"a loop", "[1].map(x, %[1]s + %[1]s)", 1},
		{"two keys of each", "%[1]s[true ? 'a' : 'b']", maxReads},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			r := &reader{set: &Set{}, variables: map[string]value{}}
			got := r.expression("true ? object.metadata.name : 'x'")
			for i := range 12 {
				name := fmt.Sprint("v", i)
				r.variables[name] = got
				got = r.expression(fmt.Sprintf(row.next, "variables."+name))
			}
			if len(got.reads) != row.reads || len(got.constants) != 1 {
				t.Errorf("%d reads and %d constants, want %d and 1", len(got.reads), len(got.constants),
					row.reads)
			}
		})
	}
}

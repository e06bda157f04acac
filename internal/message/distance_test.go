package message

import (
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestDistance(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		a, b string
		want int
	}
	testtable.Run(t, []test{
		{row{"equal", "nothing has to be done"}, "pods", "pods", 0},
		{row{"one replaced", "a slip"}, "pods", "puds", 1},
		{row{"one missing", "the singular"}, "pod", "pods", 1},
		{row{"one too many", "the other way round"}, "pods", "pod", 1},
		{row{"two swapped", "they count as two"}, "pdos", "pods", 2},
		{row{"nothing", "all of it is missing"}, "", "pods", 4},
		{row{"mixed", "one of each kind"}, "kitten", "sitting", 3},
		{row{"both ends", "what is in the middle stays"}, "xdeployment", "deployments", 2},
	}, func(t *testing.T, r test) {
		if got := Distance(r.a, r.b); got != r.want {
			t.Errorf("%q and %q: %d, want %d", r.a, r.b, got, r.want)
		}
		if got := Distance(r.b, r.a); got != r.want {
			t.Errorf("%q and %q: %d, want %d", r.b, r.a, got, r.want)
		}
	})
}

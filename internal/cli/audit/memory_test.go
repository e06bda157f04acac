package audit

import (
	"math"
	"runtime/debug"
	"testing"

	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type memoryCase struct {
	row
	limit int64
}

// TestMemoryLimit: the process has the limit of before after the command. The test is not
// parallel, because the limit is that of the process.
func TestMemoryLimit(t *testing.T) {
	var log audittest.Log
	log.Add("get", "ann", ``)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	for _, tc := range testtable.Checked(t, []memoryCase{
		{row{"none", "the command sets one, and takes it back"}, math.MaxInt64},
		{row{"GOMEMLIMIT", "it has precedence"}, 1 << 30},
	}) {
		debug.SetMemoryLimit(tc.limit)
		if _, err := execute(t, log.Text()); err != nil {
			t.Fatal(err)
		}
		if got := debug.SetMemoryLimit(-1); got != tc.limit {
			t.Errorf("%s: the limit is %d, want %d", tc.Why(), got, tc.limit)
		}
	}
}

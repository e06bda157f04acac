package parity

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/test/internal/parity/fault"
	"example.com/gatehouse/test/internal/parity/harness"
)

// TestEveryFaultIsThere: no other test would notice a row that is lost.
func TestEveryFaultIsThere(t *testing.T) {
	t.Parallel()
	var want []string
	for group, last := range []int{13, 23, 8, 13, 23, 12, 47, 11, 5, 29, 20, 9, 5, 10, 14} {
		for number := range last {
			want = append(want, fmt.Sprintf("%c%d", 'A'+group, number+1))
		}
	}
	if diff := cmp.Diff(want, ids(t, func(*fault.Row) bool { return true })); diff != "" {
		t.Errorf("rows of the contract (-want +got):\n%s", diff)
	}
}

// TestWhatIsSafeInAnyCase: by default gatehouse may differ where an option
// brings kube-apiserver's way back, but in these rows it differs whatever the
// options are. Each needs a reason in docs/parity.md.
func TestWhatIsSafeInAnyCase(t *testing.T) {
	t.Parallel()
	want := []string{
		"A8", "A11", "D1", "D2", "D4", "D8", "D9", "D12",
		"G24", "G25", "G26", "G27", "G28", "G29", "G30", "G34", "G44", "G46",
		"H3", "H7", "H8", "H9", "J20", "J21", "L2", "L8", "N9",
	}
	if diff := cmp.Diff(want, ids(t, func(r *fault.Row) bool { return r.DiffersIn(harness.Exact) })); diff != "" {
		t.Errorf("rows that differ in any case (-want +got):\n%s", diff)
	}
	half := ids(t, func(r *fault.Row) bool { return r.DiffersIn(harness.Exact) && !r.DiffersIn(harness.Gatehouse) })
	if len(half) > 0 {
		t.Errorf("an option makes these differ: %q", half)
	}
}

// ids returns those of the contract's rows for which keep holds, in order.
func ids(t *testing.T, keep func(*fault.Row) bool) []string {
	t.Helper()
	var list []string
	rows := loadFaults(t, faultTable)
	for i := range rows {
		if keep(&rows[i]) {
			list = append(list, rows[i].ID)
		}
	}
	return list
}

package whatif_test

import (
	"testing"

	"example.com/gatehouse/internal/whatif"
)

// TestFails: a level includes those before it.
func TestFails(t *testing.T) {
	t.Parallel()
	for i, has := range whatif.Levels {
		r := &whatif.Report{Levels: map[whatif.Level]int{has: 1}}
		for j, asked := range whatif.Levels {
			if got := r.Fails(asked); got != (i <= j) {
				t.Errorf("a difference by %s fails at %s: %v", has, asked, got)
			}
		}
	}
	if (&whatif.Report{}).Fails(whatif.LevelCalls) {
		t.Error("no difference fails")
	}
}

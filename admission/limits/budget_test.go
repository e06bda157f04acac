package limits_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/gatehouse/admission/limits"
)

func TestBudget(t *testing.T) {
	t.Parallel()
	b := limits.NewBudget(10)
	for _, step := range []struct {
		n, used int
		refused bool
	}{{6, 6, false}, {5, 6, true}, {4, 10, false}, {1, 10, true}, {0, 10, false}} {
		err := b.Reserve(step.n)
		if (err != nil) != step.refused || b.Used() != step.used {
			t.Fatalf("reserving %d: error %v and %d used, want %d", step.n, err, b.Used(), step.used)
		}
		if err == nil {
			continue
		}
		var exceeded *limits.Error
		const want = "responses of all calls in flight: more than 10 bytes (Limits.Budget)"
		if !errors.As(err, &exceeded) || exceeded.Field != "Budget" || err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
	b.Release(10)
	if err := b.Reserve(10); err != nil {
		t.Errorf("what was released is not to be had: %v", err)
	}
}

// TestBudgetIsNeverExceeded has many take and return what there is not enough
// of for all.
func TestBudgetIsNeverExceeded(t *testing.T) {
	t.Parallel()
	const size, share, many = 100, 30, 8
	b := limits.NewBudget(size)
	var held, most, refused atomic.Int64
	var group sync.WaitGroup
	for range many {
		group.Go(func() {
			for range 2000 {
				if b.Reserve(share) != nil {
					refused.Add(1)
					continue
				}
				now := held.Add(share)
				for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
				}
				held.Add(-share)
				b.Release(share)
			}
		})
	}
	group.Wait()
	if b.Used() != 0 || most.Load() > size || most.Load() == 0 {
		t.Errorf("%d left over and at most %d held at once, want 0 and no more than %d", b.Used(), most.Load(), size)
	}
	t.Logf("at most %d of %d at once, %d refusals", most.Load(), size, refused.Load())
}

func TestReleaseOfTooMuch(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	limits.NewBudget(10).Release(1)
}

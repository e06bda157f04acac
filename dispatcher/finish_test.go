package dispatcher

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestFinishLeavesLittleBehind has nobody wait for work that takes long, again and
// again: no more of it may go on than there are places, and what is never begun is
// dropped.
func TestFinishLeavesLittleBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		free := make(places, 3)
		var running, highest, dropped atomic.Int32
		long := work[int]{
			doing: "thinking",
			do: func() (int, error) {
				highest.Store(max(highest.Load(), running.Add(1)))
				time.Sleep(time.Minute)
				running.Add(-1)
				return 1, nil
			},
			drop: func() { dropped.Add(1) },
		}
		var late *overdueError
		for range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if n, err := finish(ctx, free, long); n != 0 || !errors.As(err, &late) {
				t.Errorf("got %d, %v", n, err)
			}
			cancel()
		}
		if highest.Load() != 3 || dropped.Load() != 7 {
			t.Errorf("%d at a time, %d dropped, want 3 and 7", highest.Load(), dropped.Load())
		}
		// Who has more time gets a place, when one is free.
		start := time.Now()
		if n, err := finish(t.Context(), free, long); n != 1 || err != nil || time.Since(start) > 2*time.Minute {
			t.Errorf("got %d, %v after %v", n, err, time.Since(start))
		}
		time.Sleep(time.Minute)
		if len(free) != 0 {
			t.Errorf("%d places are still taken", len(free))
		}
	})
}

// TestFinishQuickly wants no place for what is quick.
func TestFinishQuickly(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n, err := finish(ctx, make(places), work[int]{quick: true, do: func() (int, error) { return 1, nil }})
	if n != 1 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
}

package dispatcher

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/gatehouse/admission"
)

var (
	someone = owner{admission.Mutating, "config/hook/0"}
	another = owner{admission.Validating, "config/hook/0"}
)

// TestFinishLeavesLittleBehind has nobody wait for work that takes long, again and
// again: no more of it may go on than there are places, and what is never begun is
// dropped.
func TestFinishLeavesLittleBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		free := placesFor(3)
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
			if n, err := finish(ctx, free, someone, long); n != 0 || !errors.As(err, &late) {
				t.Errorf("got %d, %v", n, err)
			}
			cancel()
		}
		if highest.Load() != 3 || dropped.Load() != 7 {
			t.Errorf("%d at a time, %d dropped, want 3 and 7", highest.Load(), dropped.Load())
		}
		// Who has more time gets a place, when one is free.
		start := time.Now()
		if n, err := finish(t.Context(), free, someone, long); n != 1 || err != nil || time.Since(start) > 2*time.Minute {
			t.Errorf("got %d, %v after %v", n, err, time.Since(start))
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(free.rooms) != 0 {
			t.Errorf("%d webhooks still have places", len(free.rooms))
		}
	})
}

// TestFinishQuickly wants no place for what is quick.
func TestFinishQuickly(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n, err := finish(ctx, placesFor(0), someone, work[int]{quick: true, do: func() (int, error) { return 1, nil }})
	if n != 1 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
}

// TestFinishForAnother has a webhook leave behind as much as it can: another one need not
// wait for that.
func TestFinishForAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		free := placesFor(2)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for range 2 {
			go func() {
				_, _ = finish(ctx, free, someone, work[int]{do: func() (int, error) { time.Sleep(time.Hour); return 1, nil }})
			}()
		}
		synctest.Wait()
		start := time.Now()
		soon := work[int]{doing: "thinking", do: func() (int, error) { return 1, nil }}
		if n, err := finish(ctx, free, another, soon); n != 1 || err != nil || time.Since(start) != 0 {
			t.Errorf("got %d, %v after %v", n, err, time.Since(start))
		}
		if len(free.rooms) != 1 {
			t.Errorf("%d webhooks have places, want the one that uses them", len(free.rooms))
		}
		const want = "thinking has to wait for other work of this webhook: context deadline exceeded"
		if n, err := finish(ctx, free, someone, soon); n != 0 || err == nil || err.Error() != want {
			t.Errorf("got %d, %v, want %s", n, err, want)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(free.rooms) != 0 {
			t.Errorf("%d webhooks still have places", len(free.rooms))
		}
	})
}

// TestFinishGivesPlacesBack ends work in ways that are not its end.
func TestFinishGivesPlacesBack(t *testing.T) {
	t.Parallel()
	free := placesFor(1)
	for range 3 {
		if err := guard(func() error {
			_, err := finish(t.Context(), free, someone, work[int]{do: func() (int, error) { panic("boom") }})
			return err
		}); err == nil || err.Error() != "boom" {
			t.Errorf("after a panic: %v", err)
		}
		_, err := finish(t.Context(), free, someone, work[int]{doing: "thinking", do: func() (int, error) { runtime.Goexit(); return 0, nil }})
		if err == nil || err.Error() != "thinking: the goroutine was ended" {
			t.Errorf("after runtime.Goexit: %v", err)
		}
	}
	if len(free.rooms) != 0 {
		t.Errorf("%d webhooks still have places", len(free.rooms))
	}
}

// TestFinishTooLate never begins what there is no time for, although there are places.
func TestFinishTooLate(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var begun, dropped atomic.Int32
	for range 100 {
		_, err := finish(ctx, placesFor(1), someone, work[int]{
			doing: "thinking",
			do:    func() (int, error) { return int(begun.Add(1)), nil },
			drop:  func() { dropped.Add(1) },
		})
		if err == nil || err.Error() != "thinking: context canceled" {
			t.Errorf("error %v", err)
		}
	}
	if begun.Load() != 0 || dropped.Load() != 100 {
		t.Errorf("%d were begun and %d dropped", begun.Load(), dropped.Load())
	}
}

// TestTakeTooLate has a place and no time.
func TestTakeTooLate(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := placesFor(1).enter(someone)
	for range 100 {
		if r.take(ctx) || len(r.taken) != 0 {
			t.Fatalf("a place was taken")
		}
	}
}

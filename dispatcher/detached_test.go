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
	"example.com/gatehouse/internal/engine/guard"
)

var (
	oneWebhook     = webhookKey{admission.Mutating, "config/hook/0"}
	anotherWebhook = webhookKey{admission.Validating, "config/hook/0"}
)

// TestDetachedLeavesLittleBehind abandons long tasks again and again: no more
// of them run than there are slots, and a task that is never run is discarded.
func TestDetachedLeavesLittleBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		free := limiterWith(3)
		var running, highest, dropped atomic.Int32
		long := task[int]{
			name: "thinking",
			run: func() (int, error) {
				highest.Store(max(highest.Load(), running.Add(1)))
				time.Sleep(time.Minute)
				running.Add(-1)
				return 1, nil
			},
			discard: func() { dropped.Add(1) },
		}
		var late *deadlineError
		for range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if n, err := runDetached(ctx, free, oneWebhook, long); n != 0 || !errors.As(err, &late) {
				t.Errorf("got %d, %v", n, err)
			}
			cancel()
		}
		if highest.Load() != 3 || dropped.Load() != 7 {
			t.Errorf("%d at a time, %d dropped, want 3 and 7", highest.Load(), dropped.Load())
		}
		// A caller with more time gets a slot when one is free.
		start := time.Now()
		if n, err := runDetached(t.Context(), free, oneWebhook, long); n != 1 || err != nil || time.Since(start) > 2*time.Minute {
			t.Errorf("got %d, %v after %v", n, err, time.Since(start))
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(free.webhooks) != 0 {
			t.Errorf("%d webhooks still have slots", len(free.webhooks))
		}
	})
}

// TestDetachedQuickly runs an inline task without a slot.
func TestDetachedQuickly(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n, err := runDetached(ctx, limiterWith(0), oneWebhook, task[int]{inline: true, run: func() (int, error) { return 1, nil }})
	if n != 1 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
}

// TestDetachedForAnother abandons as many tasks of a webhook as there are
// slots: another webhook does not wait for them.
func TestDetachedForAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		free := limiterWith(2)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for range 2 {
			go func() {
				_, _ = runDetached(ctx, free, oneWebhook, task[int]{run: func() (int, error) { time.Sleep(time.Hour); return 1, nil }})
			}()
		}
		synctest.Wait()
		start := time.Now()
		soon := task[int]{name: "thinking", run: func() (int, error) { return 1, nil }}
		if n, err := runDetached(ctx, free, anotherWebhook, soon); n != 1 || err != nil || time.Since(start) != 0 {
			t.Errorf("got %d, %v after %v", n, err, time.Since(start))
		}
		if len(free.webhooks) != 1 {
			t.Errorf("%d webhooks have slots, want the one that uses them", len(free.webhooks))
		}
		const want = "thinking has to wait for other work of this webhook: context deadline exceeded"
		if n, err := runDetached(ctx, free, oneWebhook, soon); n != 0 || err == nil || err.Error() != want {
			t.Errorf("got %d, %v, want %s", n, err, want)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(free.webhooks) != 0 {
			t.Errorf("%d webhooks still have slots", len(free.webhooks))
		}
	})
}

// TestDetachedReleasesSlots has tasks panic and end their goroutine.
func TestDetachedReleasesSlots(t *testing.T) {
	t.Parallel()
	free := limiterWith(1)
	for range 3 {
		if err := guard.Call(func() error {
			_, err := runDetached(t.Context(), free, oneWebhook, task[int]{run: func() (int, error) { panic("boom") }})
			return err
		}); err == nil || err.Error() != "boom" {
			t.Errorf("after a panic: %v", err)
		}
		_, err := runDetached(t.Context(), free, oneWebhook, task[int]{name: "thinking", run: func() (int, error) { runtime.Goexit(); return 0, nil }})
		if err == nil || err.Error() != "thinking: the call ended its goroutine" {
			t.Errorf("after runtime.Goexit: %v", err)
		}
	}
	if len(free.webhooks) != 0 {
		t.Errorf("%d webhooks still have slots", len(free.webhooks))
	}
}

// TestDetachedTooLate: a task whose context has ended is not run, although
// there are slots.
func TestDetachedTooLate(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var begun, dropped atomic.Int32
	for range 100 {
		_, err := runDetached(ctx, limiterWith(1), oneWebhook, task[int]{
			name:    "thinking",
			run:     func() (int, error) { return int(begun.Add(1)), nil },
			discard: func() { dropped.Add(1) },
		})
		if err == nil || err.Error() != "thinking: context canceled" {
			t.Errorf("error %v", err)
		}
	}
	if begun.Load() != 0 || dropped.Load() != 100 {
		t.Errorf("%d were begun and %d dropped", begun.Load(), dropped.Load())
	}
}

// TestAcquireTooLate: the slot is free and the context over.
func TestAcquireTooLate(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := limiterWith(1)
	for range 100 {
		if _, ok := l.acquire(ctx, oneWebhook); ok || len(l.webhooks) != 0 {
			t.Fatal("a slot was acquired")
		}
	}
}

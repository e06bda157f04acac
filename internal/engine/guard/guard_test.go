package guard_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestCall(t *testing.T) {
	t.Parallel()
	plain := errors.New("plain")
	if err := guard.Call(func() error { return plain }); err != plain {
		t.Errorf("got %v, want the function's error", err)
	}
	var panicked *admission.PanicError
	if err := guard.Do(func() { panic("no") }); !errors.As(err, &panicked) || panicked.Value != "no" || len(panicked.Stack) == 0 {
		t.Errorf("got %v, want the panic with its stack", err)
	}
	if err := guard.Do(func() {}); err != nil {
		t.Errorf("got %v, want no error", err)
	}
}

// detachedCase is a function that Detached waits for.
type detachedCase struct {
	testtable.Row
	f    func() (int, error)
	want int
	err  string
}

func TestDetached(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []detachedCase{
		{testtable.Row{"result", "the caller receives it"}, func() (int, error) { return 1, nil }, 1, ""},
		{testtable.Row{"error", "with what the function returned beside it"}, func() (int, error) { return 2, errors.New("no") }, 2, "no"},
		{testtable.Row{"panic", "it ends neither the process nor the wait"}, func() (int, error) { panic("oh") }, 0, "oh"},
		{testtable.Row{"Goexit", "a failing test ends the goroutine"}, func() (int, error) { runtime.Goexit(); return 3, nil }, 0, "the call ended its goroutine"},
	}, func(t *testing.T, tc detachedCase) {
		got, err := guard.Detached(t.Context(), tc.f, func(int) { t.Error("the result came late") })
		if got != tc.want || testtable.Text(err) != tc.err {
			t.Errorf("got %d, %v, want %d, %s", got, err, tc.want, tc.err)
		}
	})
}

// TestAbandoned leaves functions behind that end in all ways.
func TestAbandoned(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []detachedCase{
		{testtable.Row{"result", "late receives it"}, func() (int, error) { return 1, nil }, 1, ""},
		{testtable.Row{"panic", "late receives nothing, and the process goes on"}, func() (int, error) { panic("oh") }, 0, ""},
		{testtable.Row{"Goexit", "the same"}, func() (int, error) { runtime.Goexit(); return 3, nil }, 0, ""},
	}, func(t *testing.T, tc detachedCase) {
		synctest.Test(t, func(t *testing.T) { abandon(t, tc) }) // which knows when nothing goes on any more
	})
}

// TestGraced ends a moment after its parent, or when it is released.
func TestGraced(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		parent, end := context.WithCancel(t.Context())
		graced, release := guard.Graced(parent)
		released, releaseNow := guard.Graced(parent)
		releaseNow()
		if released.Err() == nil || graced.Err() != nil {
			t.Errorf("released: %v, before the parent has ended: %v", released.Err(), graced.Err())
		}
		end()
		began := time.Now()
		<-graced.Done()
		if took := time.Since(began); took != guard.Grace {
			t.Errorf("it ended %v after its parent", took)
		}
		release()
		late, release := guard.Graced(parent)
		defer release()
		began = time.Now()
		<-late.Done()
		if took := time.Since(began); took != guard.GraceAfter {
			t.Errorf("it ended after %v, although its parent had ended before", took)
		}
	})
}

func abandon(t *testing.T, tc detachedCase) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	ended, late := make(chan struct{}), make(chan int, 1)
	_, err := guard.Detached(ctx, func() (int, error) {
		<-ended
		return tc.f()
	}, func(n int) { late <- n; panic("a panic of late is dropped, too") })
	var abandoned *guard.AbandonedError
	if !errors.As(err, &abandoned) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want an abandoned call", err)
	}
	close(ended)
	if got := <-late; got != tc.want {
		t.Errorf("late received %d, want %d", got, tc.want)
	}
}

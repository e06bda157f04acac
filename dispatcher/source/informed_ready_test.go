package source

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestInformedStartsByItself requires a source to compile and publish the
// initial lists when the informers have synced, without any request or other
// event.
func TestInformedStartsByItself(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, s *starting) {
		s.serve()
		synctest.Wait() // no time passes
		if s.publishedCount.Load() != 1 || revisionIn(t, s.lastPublished.Load(), "a") != 1 {
			t.Fatalf("published %d snapshots, want 1", s.publishedCount.Load())
		}
		if current(t, s) != s.lastPublished.Load() {
			t.Error("the first request compiled another snapshot")
		}
	})
}

// TestInformedWaitsForEverything has an informer sync 30.05 s before the other
// condition holds, and counts how often the source polls the condition, which
// may take a lock.
func TestInformedWaitsForEverything(t *testing.T) {
	t.Parallel()
	var looks atomic.Int32
	var synced atomic.Bool
	inBubble(t, func() bool { looks.Add(1); return synced.Load() }, func(t *testing.T, s *starting) {
		s.serve()
		time.Sleep(30*time.Second + readyPoll/2)
		synced.Store(true)
		synctest.Wait()
		if s.publishedCount.Load() != 0 {
			t.Fatal("published before everything has synced")
		}
		time.Sleep(readyPoll)
		synctest.Wait()
		if s.publishedCount.Load() != 1 || revisionIn(t, s.lastPublished.Load(), "a") != 1 {
			t.Errorf("published %d snapshots after one more poll, want 1", s.publishedCount.Load())
		}
		const want = 302 // the first, 300 in vain, and one more
		if looks.Load() != want {
			t.Errorf("polled %d times, want %d", looks.Load(), want)
		}
		time.Sleep(time.Minute)
		if looks.Load() != want {
			t.Errorf("polled %d times, although it was ready after %d", looks.Load(), want)
		}
	})
}

type notReadyRow struct {
	row
	// before happens before the request, meanwhile 3 s after it has begun.
	before, meanwhile func(s *starting)
	// wait is how long the request waits.
	wait time.Duration
}

// TestInformedIsNotReady calls Current of sources that are not ready: none of
// them may return a snapshot without webhooks (S-005, S-006).
func TestInformedIsNotReady(t *testing.T) {
	t.Parallel()
	testtable.Run(t, notReadyRows(), func(t *testing.T, tc notReadyRow) {
		inBubble(t, nil, func(t *testing.T, s *starting) {
			if tc.before != nil {
				tc.before(s)
			}
			if tc.meanwhile != nil {
				go func() {
					time.Sleep(3 * time.Second)
					tc.meanwhile(s)
				}()
			}
			start := time.Now()
			snapshot, err := s.Current(t.Context())
			if snapshot != nil || !errors.Is(err, dispatcher.ErrNotReady) || time.Since(start) != tc.wait {
				t.Errorf("got %v, %v after %v; want ErrNotReady after %v", snapshot, err, time.Since(start), tc.wait)
			}
			if s.publishedCount.Load() != 0 {
				t.Error("published a snapshot")
			}
			time.Sleep(3 * time.Second) // what happens meanwhile has an end
		})
	})
}

func notReadyRows() []notReadyRow {
	return []notReadyRow{{
		row:  row{"informers not started", "S-005: ten seconds"},
		wait: readyTimeout,
	}, {
		row: row{"the server gives errors", "an error is no empty list"},
		before: func(s *starting) {
			s.answer(apierrors.NewInternalError(errors.New("etcd is gone")))
			s.serve()
		},
		wait: readyTimeout,
	}, {
		row:    row{"the server rejects the request", "missing credentials are no empty list"},
		before: func(s *starting) { s.answer(apierrors.NewUnauthorized("no credentials")); s.serve() },
		wait:   readyTimeout,
	}, {
		row: row{"the informers stop first", "without an initial list the source is never ready"},
		before: func(s *starting) {
			s.answer(apierrors.NewInternalError(errors.New("etcd is gone")))
			s.serve()
			s.halt()
		},
		wait: readyTimeout,
	}, {
		row:    row{"closed", "there is nothing to wait for any more"},
		before: func(s *starting) { s.Close() },
	}, {
		row:       row{"closed meanwhile", "waiting requests return at once"},
		meanwhile: func(s *starting) { s.Close() },
		wait:      3 * time.Second,
	}, {
		row:    row{"closed, and then synced", "the informer has its list, but no handler to deliver it to"},
		before: func(s *starting) { s.Close(); s.serve(); synctest.Wait() },
	}}
}

func TestInformedWaitsNoLongerThanTheRequest(t *testing.T) {
	t.Parallel()
	factory := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
	s, err := Informers(Watched{Validating: factory.Admissionregistration().V1().ValidatingWebhookConfigurations()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Current(ctx); !errors.Is(err, dispatcher.ErrNotReady) {
		t.Errorf("want ErrNotReady, got %v", err)
	}
}

// TestInformedCompilesForTheRequest sends a request between the moment when
// everything has synced and the next look of the goroutine, with no time to
// wait for that.
func TestInformedCompilesForTheRequest(t *testing.T) {
	t.Parallel()
	var synced atomic.Bool
	inBubble(t, synced.Load, func(t *testing.T, s *starting) {
		s.serve()
		synctest.Wait()
		synced.Store(true)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		snapshot, err := s.Current(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if revisionIn(t, snapshot, "a") != 1 {
			t.Error("the snapshot is not what was delivered")
		}
	})
}

// TestInformedCompilesNoLongerThanTheRequest has a request wait for a change that is
// being compiled. Once that is done, the next request sees the change.
func TestInformedCompilesNoLongerThanTheRequest(t *testing.T) {
	t.Parallel()
	f := follow(t, revisionOf("a", 1))
	f.current(t)
	f.builderMu.Lock() // as if it took long
	compiled := time.AfterFunc(time.Minute, f.builderMu.Unlock)
	f.handler(validatingKind).OnUpdate(revisionOf("a", 1), revisionOf("a", 2))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if snapshot, err := f.Current(ctx); snapshot != nil || err != dispatcher.ErrNotReady {
		t.Errorf("got %v, %v; want %v", snapshot, err, dispatcher.ErrNotReady)
	}
	if !compiled.Stop() {
		t.Fatal("the request waited until the change was compiled")
	}
	f.builderMu.Unlock()
	if got := revisionIn(t, f.current(t), "a"); got != 2 {
		t.Errorf("the next request sees revision %d, want 2", got)
	}
}

// TestInformedWaitsUntilTheDeadline calls Current of a source whose server does
// not respond.
func TestInformedWaitsUntilTheDeadline(t *testing.T) {
	t.Parallel()
	f := prepare(t)
	answer := make(chan struct{})
	f.client.PrependReactor("list", "validatingwebhookconfigurations", func(ktesting.Action) (bool, runtime.Object, error) {
		<-answer
		return false, nil, nil
	})
	f.start(t)
	const patience = 200 * time.Millisecond
	start := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, err := f.Current(ctx)
	if waited := time.Since(start); err != dispatcher.ErrNotReady || waited < patience || waited > 5*time.Second {
		t.Errorf("got %v after %v, want %v after %v", err, waited, dispatcher.ErrNotReady, patience)
	}
	close(answer)
	if _, err := f.Current(t.Context()); err != nil {
		t.Errorf("the server has answered, but the source says %v", err)
	}
}

package lifecycle

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"example.com/gatehouse/internal/conformance/probe"
)

// callers is the number of clients. Each has its own connection and calls
// without a pause.
const callers = 8

// traffic are calls that go on until they are stopped.
type traffic struct {
	calls [callers]atomic.Int64
	stop  func()

	mu  sync.Mutex
	bad []reply
}

// newTraffic begins to call an address. The caller calls stop, any number of
// times.
func newTraffic(
	ctx context.Context, address string, questions []question, wait time.Duration,
) *traffic {
	t := &traffic{}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	ended := make(chan struct{})
	for i := range callers {
		running.Go(func() { t.call(ctx, ended, i, address, questions, wait) })
	}
	t.stop = sync.OnceFunc(func() {
		close(ended) // lets the calls under way end
		running.Wait()
		cancel()
	})
	return t
}

func (t *traffic) call(ctx context.Context, ended <-chan struct{}, i int, address string,
	questions []question, wait time.Duration) {
	client := newClient(address, nil)
	// A server may close a spare idle connection at the moment when the client
	// uses it. No server can prevent that.
	client.Transport.(*http.Transport).MaxConnsPerHost = 1
	defer client.CloseIdleConnections()
	for at := i; ; at++ {
		select {
		case <-ended:
			return
		case <-ctx.Done():
			return
		default:
		}
		q := questions[at%len(questions)]
		x := q.ask(ctx, probe.RawRequest{Client: client, Wait: wait})
		if q.wrong(x) != "" && ctx.Err() == nil {
			t.mu.Lock()
			t.bad = append(t.bad, reply{q, x})
			t.mu.Unlock()
			pause(ctx, 10*time.Millisecond) // a rejected connection returns at once
		}
		t.calls[i].Add(1)
	}
}

// advance waits until each caller has made some more calls, or ctx ends.
func (t *traffic) advance(ctx context.Context, n int64) {
	var goals [callers]int64
	for i := range t.calls {
		goals[i] = t.calls[i].Load() + n
	}
	for i := range t.calls {
		for t.calls[i].Load() < goals[i] && ctx.Err() == nil {
			pause(ctx, 10*time.Millisecond)
		}
	}
}

// total is the number of calls.
func (t *traffic) total() int64 {
	var n int64
	for i := range t.calls {
		n += t.calls[i].Load()
	}
	return n
}

package controller

import (
	"context"
	"errors"
	"sync"
	"time"

	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/util/workqueue"
)

// minBackoff is the time before the first retry; it doubles with each further
// one.
const minBackoff = 20 * time.Millisecond

// workers is the number of keys that are processed at the same time. A slow
// webhook for one of them must not delay the others.
const workers = 5

// stopGrace bounds how long requests of the workers may take when the server
// stops. Interrupting requests makes the etcd client log to standard error.
const stopGrace = time.Second

// Queue processes each key until it succeeds. No two workers process the same
// key at the same time.
type Queue[K comparable] struct {
	process    func(context.Context, K) error
	maxBackoff time.Duration
	// keys is created by Attach.
	keys workqueue.TypedRateLimitingInterface[K]

	lock sync.Mutex
	// cancel interrupts the workers; nil until start.
	cancel  context.CancelFunc
	stopped bool
	running sync.WaitGroup
}

// NewQueue returns a queue that calls process for each key, and calls it again
// after an error, after at most maxBackoff. It drops the errors: clients that
// make the same requests receive them.
func NewQueue[K comparable](
	maxBackoff time.Duration, process func(context.Context, K) error,
) *Queue[K] {
	return &Queue[K]{process: process, maxBackoff: maxBackoff}
}

// Add schedules the processing of a key. Attach must have been called.
func (q *Queue[K]) Add(key K) { q.keys.Add(key) }

// Attach makes server run the workers after prepare has returned. prepare must
// fail only if its context ends. If it fails, no workers run.
func (q *Queue[K]) Attach(
	server *genericapiserver.GenericAPIServer, name string, prepare func(context.Context) error,
) error {
	q.keys = workqueue.NewTypedRateLimitingQueue(
		workqueue.NewTypedItemExponentialFailureRateLimiter[K](minBackoff, q.maxBackoff))
	// The pre-shutdown hook is not called for a server that never runs.
	server.RegisterDestroyFunc(q.keys.ShutDown)
	start := func(hook genericapiserver.PostStartHookContext) error {
		q.start(hook, prepare)
		return nil
	}
	return errors.Join(
		server.AddPostStartHook(name, start), server.AddPreShutdownHook(name, q.stop))
}

func (q *Queue[K]) start(ctx context.Context, prepare func(context.Context) error) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.stopped {
		return
	}
	ctx, q.cancel = context.WithCancel(ctx)
	q.running.Go(func() {
		if prepare(ctx) != nil {
			return
		}
		for range workers {
			q.running.Go(func() { q.work(ctx) })
		}
	})
}

// stop returns when the workers have ended. It runs as a pre-shutdown hook
// because the server waits for pending requests, which include those of the
// workers.
func (q *Queue[K]) stop() error {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.stopped = true
	q.keys.ShutDown()
	if q.cancel == nil {
		return nil
	}
	defer q.cancel()
	defer time.AfterFunc(stopGrace, q.cancel).Stop()
	q.running.Wait()
	return nil
}

// work processes keys until the queue is shut down.
func (q *Queue[K]) work(ctx context.Context) {
	for {
		key, shutdown := q.keys.Get()
		if shutdown {
			return
		}
		if q.process(ctx, key) == nil {
			q.keys.Forget(key)
		} else {
			q.keys.AddRateLimited(key)
		}
		q.keys.Done(key)
	}
}

package session

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/internal/message"
)

// visit is a request that goes through the webhooks. result or err is set when
// done is closed.
type visit struct {
	result *Result
	err    error
	done   chan struct{}
}

// Count returns how many requests Admit makes.
func (s *Session) Count() int { return s.cluster.Count() }

// Admit sends the objects through the webhooks, up to Options.Parallel at a time,
// and calls report with each result in the order of the inputs, until ctx is done
// or report returns an error. It does not report an object during which ctx
// ended, because only that denied it. Few results are held at a time.
func (s *Session) Admit(ctx context.Context, report func(*Result) error) error {
	running, cancel := context.WithCancel(ctx)
	// The one that is reported next is in the queue no more.
	queue := make(chan *visit, s.parallel-1)
	var all sync.WaitGroup
	all.Go(func() {
		defer close(queue)
		s.startVisits(running, queue, &all)
	})
	defer all.Wait()
	defer cancel()
	for v := range queue {
		<-v.done
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if v.err != nil {
			return v.err
		}
		changed, err := s.metrics.changes()
		if err != nil {
			return fmt.Errorf("admitting %s: %w", v.result.Reference(), err)
		}
		v.result.metrics = changed
		if err := report(v.result); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// startVisits makes the requests, and starts a visit of each when there is room
// in the queue.
func (s *Session) startVisits(ctx context.Context, queue chan<- *visit, all *sync.WaitGroup) {
	for made, err := range s.cluster.Requests() {
		v := &visit{done: make(chan struct{})}
		select {
		case queue <- v:
		case <-ctx.Done():
			return
		}
		if err != nil {
			v.err = &message.InputError{Err: err}
			close(v.done)
			return
		}
		all.Go(func() {
			defer close(v.done)
			v.result, v.err = s.admit(ctx, made.Request, made.Written)
		})
	}
}

// Objects returns the interfaces for the kinds of the session.
func (s *Session) Objects() apiadmission.ObjectInterfaces { return s.objects }

// Parallel returns how many requests may be admitted at a time.
func (s *Session) Parallel() int { return s.parallel }

// AdmitRequest sends a request through the webhooks that is none of the inputs.
// It is safe for concurrent use, for up to Parallel requests. The error is that of
// simulate.Request.
func (s *Session) AdmitRequest(ctx context.Context, r *admission.Request) (*Result, error) {
	return s.admit(ctx, r, nil)
}

// admit sends a request through the webhooks.
func (s *Session) admit(
	ctx context.Context, request *admission.Request, written runtime.Object,
) (*Result, error) {
	r := &Result{
		Request: request, injected: s.injected, access: s.access, written: written,
		labels: func() (map[string]string, error) {
			return s.config.Namespaces.Labels(ctx, request.Namespace)
		},
	}
	limited := ctx // the labels outlive it
	if s.timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, s.timeout)
		defer cancel()
	}
	var err error
	if r.Response, err = simulate.Request(limited, s.dispatcher, request, s.objects); err != nil {
		return r, fmt.Errorf("admitting %s: %w", r.Reference(), err)
	}
	return r, nil
}

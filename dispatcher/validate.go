package dispatcher

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/matching"
)

// validate runs the validating webhooks. If several of them deny the request,
// it returns the error of the first in order, or with Config.Exact of the first
// to respond. It records all of them.
func (r *phaseRun) validate(ctx context.Context, webhooks *matching.Snapshot) error {
	calls, err := r.matchAll(ctx, webhooks)
	if err != nil || len(calls) == 0 {
		return err
	}
	if ctx.Err() != nil {
		return errTimeout() // S-190
	}
	var first error
	for _, c := range r.callAll(ctx, calls) {
		r.recordCall(failpoint.Visit(ctx, c.webhook.Name), &c.record)
		if err := r.outcomeError(ctx, &c.record); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// matchAll matches all webhooks, converts the objects to every version that a
// matched webhook asks for (S-190), and returns the calls to make.
func (r *phaseRun) matchAll(ctx context.Context, webhooks *matching.Snapshot) ([]*call, error) {
	view := r.newView()
	positions := r.webhooksToMatch(webhooks, view)
	if len(positions) == 0 {
		return nil, nil
	}
	var calls []*call
	for _, position := range positions {
		i, w := int(position), webhooks.Webhooks(r.phase)[position]
		ctx := failpoint.Visit(ctx, w.Name)
		m := r.match(ctx, view, w, i, &r.validating)
		r.recordMatch(ctx, m)
		if m.Err != nil {
			return nil, m.Err
		}
		if !m.Matched() {
			continue
		}
		object, err := convert(ctx, &r.validating, &m.Target)
		if err != nil {
			return nil, err
		}
		if calls == nil {
			calls = make([]*call, 0, len(positions))
		}
		calls = append(calls, r.newCall(w, &m.Target, object, len(calls)))
	}
	return calls, nil
}

// callAll makes all calls at the same time and waits for them (S-192). It
// returns them in the order in which they are recorded.
func (r *phaseRun) callAll(ctx context.Context, calls []*call) []*call {
	var finished atomic.Int64
	do := func(i int) {
		c, returned := calls[i], false
		// An in-process webhook may end the goroutine, as a failing test does.
		defer func() {
			if !returned {
				calls[i] = c.goexited()
			}
		}()
		c.do(failpoint.Visit(ctx, c.webhook.Name))
		c.finishOrder, returned = finished.Add(1), true
	}
	last := len(calls) - 1
	var group sync.WaitGroup
	for i := range last {
		group.Go(func() {
			growStack()
			do(i)
		})
	}
	// On this goroutine, which would only wait. On another, a single call takes 1.4
	// times as long.
	do(last)
	group.Wait()
	if r.d.config.Exact {
		slices.SortStableFunc(calls, func(a, b *call) int {
			return cmp.Compare(a.finishOrder, b.finishOrder)
		})
	}
	return calls
}

// growStack grows the stack of a new goroutine to what a call needs, while
// there is little on it to copy. Without it, the runtime copies the stack
// several times during a call: 20 calls take 1.2 times as long.
//
//go:noinline
func growStack() {
	var stack [6 << 10]byte
	touch(&stack)
}

//go:noinline
func touch(*[6 << 10]byte) {}

package dispatcher

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/matching"
)

// validate takes the request through the validating webhooks. If several of them
// object, the first in order is heard, or with Config.Exact the first to answer;
// all of them are recorded.
func (p *pass) validate(ctx context.Context, webhooks *matching.Snapshot) error {
	calls, err := p.matched(ctx, webhooks)
	if err != nil || len(calls) == 0 {
		return err
	}
	if ctx.Err() != nil {
		return errTimeout() // S-190: nobody is waiting for an answer
	}
	var first error
	for _, c := range p.callAll(ctx, calls) {
		p.recordCall(failpoint.Visit(ctx, c.webhook.Name), &c.record)
		if err := p.settle(ctx, &c.record); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// matched matches all webhooks, converts the objects to every version that one of
// them asks for (S-190), and returns the calls to be made.
func (p *pass) matched(ctx context.Context, webhooks *matching.Snapshot) ([]*call, error) {
	view := p.newView()
	positions := p.candidates(webhooks, view)
	if len(positions) == 0 {
		return nil, nil
	}
	var calls []*call
	for _, position := range positions {
		i, w := int(position), webhooks.At(p.phase, int(position))
		ctx := failpoint.Visit(ctx, w.Name)
		m := p.match(ctx, view, w, i, &p.parallel)
		p.recordMatch(ctx, m)
		if m.Err != nil {
			return nil, m.Err
		}
		if !m.Matched() {
			continue
		}
		failpoint.Hit(ctx, failpoint.BeforeConversion)
		object, err := p.parallel.in(m.Target.Kind)
		failpoint.Hit(ctx, failpoint.AfterConversion)
		if err != nil {
			return nil, apierrors.NewInternalError(err)
		}
		if calls == nil {
			calls = make([]*call, 0, len(positions))
		}
		calls = append(calls, p.newCall(w, &m.Target, object, len(calls)))
	}
	return calls, nil
}

// callAll makes all calls at once and returns when the last one is done (S-192),
// with the calls in the order in which they are to be heard.
func (p *pass) callAll(ctx context.Context, calls []*call) []*call {
	var arrivals atomic.Int64
	one := func(i int) {
		done := false
		// A client that ends its goroutine, as a failing test does, must not
		// leave a hole.
		defer func() {
			if !done {
				calls[i] = calls[i].lost()
			}
		}()
		c := calls[i]
		c.visit(failpoint.Visit(ctx, c.webhook.Name))
		c.arrival, done = arrivals.Add(1), true
	}
	last := len(calls) - 1
	if last > 0 {
		calls[0].object.encode() // or all would wait for one of them to do it
	}
	var group sync.WaitGroup
	for i := range last {
		group.Go(func() {
			deepen()
			one(i)
		})
	}
	one(last) // this goroutine has nothing else to do
	group.Wait()
	if p.d.config.Exact {
		slices.SortStableFunc(calls, func(a, b *call) int { return cmp.Compare(a.arrival, b.arrival) })
	}
	return calls
}

// deepen makes room on a new goroutine's stack for all that a call needs, while
// there is hardly anything on it. If the stack grew as it is used, it would be
// copied again and again, which takes longer than the rest of a call.
//
//go:noinline
func deepen() {
	var room [6 << 10]byte
	use(&room)
}

//go:noinline
func use(*[6 << 10]byte) {}

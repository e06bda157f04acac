package dispatcher

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// visit is a webhook that matched and what it will be shown.
type visit struct {
	webhook *matching.Webhook
	target  admission.Target
	object  *versioned
}

// validate takes the request through the validating webhooks. If several of them
// object, the first in order is heard, or with Config.Exact the first to answer;
// all of them are recorded.
func (p *pass) validate(ctx context.Context, webhooks *matching.Snapshot) error {
	visits, err := p.visits(ctx, webhooks)
	if err != nil || len(visits) == 0 {
		return err
	}
	if ctx.Err() != nil {
		return errTimeout() // S-190: nobody is waiting for an answer
	}
	var first error
	for _, c := range p.callAll(ctx, visits) {
		p.recordCall(ctx, &c.record)
		if err := p.settle(ctx, &c.record); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// visits matches all webhooks and converts the objects to every version that
// one of them asks for, before anything is sent (S-190).
func (p *pass) visits(ctx context.Context, webhooks *matching.Snapshot) ([]visit, error) {
	objects := &parallelVersions{pass: p}
	view := p.viewFor(objects)
	positions := p.candidates(webhooks, view)
	if len(positions) == 0 {
		return nil, nil
	}
	visits := make([]visit, 0, len(positions))
	all := webhooks.Webhooks(admission.Validating)
	for _, position := range positions {
		i, w := int(position), all[position]
		m := p.match(ctx, view, w, i)
		p.recordMatch(ctx, &m)
		if m.Err != nil {
			return nil, m.Err
		}
		if !m.Matched() {
			continue
		}
		object, err := objects.in(m.Target.Kind)
		if err != nil {
			return nil, apierrors.NewInternalError(err)
		}
		visits = append(visits, visit{webhook: w, target: m.Target, object: object})
	}
	return visits, nil
}

// callAll calls all webhooks at once and returns when the last one is done
// (S-192). The calls are in the order in which they are to be heard.
func (p *pass) callAll(ctx context.Context, visits []visit) []*call {
	calls, all := make([]*call, len(visits)), make([]call, len(visits))
	for i := range all {
		calls[i] = &all[i]
	}
	var arrivals atomic.Int64
	one := func(i int) {
		c, done := calls[i], false
		// A client that ends its goroutine, as a failing test does, must not
		// leave a hole.
		defer func() {
			if !done {
				c.lose(p, &visits[i], i)
			}
		}()
		c.visit(ctx, p, &visits[i], i)
		c.arrival, done = arrivals.Add(1), true
	}
	last := len(visits) - 1
	var group sync.WaitGroup
	for i := range last {
		group.Go(func() { one(i) })
	}
	one(last) // this goroutine has nothing else to do
	group.Wait()
	if p.d.config.Exact {
		slices.SortStableFunc(calls, func(a, b *call) int { return cmp.Compare(a.arrival, b.arrival) })
	}
	return calls
}

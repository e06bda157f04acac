package matching

import (
	"slices"
	"sync"
)

// phase holds the webhooks of one phase and their index.
//
// The time to build an index grows with the number of webhooks. A change
// therefore keeps the index of the base, marks the webhooks of the base that
// were removed, records the new positions of the others, and indexes only the
// webhooks that were added. Once rebuildThreshold webhooks have been added,
// newPhase indexes all webhooks again.
type phase struct {
	// base are the webhooks of the last full index, recent those added since.
	base, recent overlay
	// order has the webhook at each position: its index in base or, if
	// negative, the complement of its index in recent. Nil if nothing has
	// changed since base was indexed.
	order []int32
	// list returns all webhooks in order. The first call makes the slice.
	list func() []*Webhook
}

// overlay is a part of the webhooks of a phase with an index over them.
type overlay struct {
	webhooks []*Webhook
	*index
	// positions are the positions of the webhooks in the phase, or removed. Nil
	// if they are those in webhooks.
	positions []int32
}

const removed = -1

func newPhase(webhooks []*Webhook) phase {
	return phase{
		base: overlay{webhooks: webhooks, index: newIndex(webhooks)},
		list: func() []*Webhook { return webhooks },
	}
}

// len returns the number of webhooks.
func (p *phase) len() int {
	if p.order == nil {
		return len(p.base.webhooks)
	}
	return len(p.order)
}

// at returns the webhook at a position.
func (p *phase) at(position int) *Webhook {
	if p.order == nil {
		return p.base.webhooks[position]
	}
	if i := p.order[position]; i < 0 {
		return p.recent.webhooks[^i]
	} else {
		return p.base.webhooks[i]
	}
}

// equivalents reports whether a webhook has matchPolicy Equivalent.
func (p *phase) equivalents() bool {
	return p.base.equivalents || p.recent.index != nil && p.recent.equivalents
}

// find is index.find for the positions in the phase.
func (p *phase) find(q *RuleQuery, found []int32, onlyEquivalent bool) []int32 {
	found = p.base.find(q, found, onlyEquivalent)
	if p.recent.index != nil {
		found = p.recent.find(q, found, onlyEquivalent)
	}
	return found
}

func (o *overlay) find(q *RuleQuery, found []int32, onlyEquivalent bool) []int32 {
	before := len(found)
	found = o.index.find(q, found, onlyEquivalent)
	if o.positions == nil {
		return found
	}
	current := found[:before]
	for _, i := range found[before:] {
		if position := o.positions[i]; position != removed {
			current = append(current, position)
		}
	}
	return current
}

// rebuildThreshold is the largest number of recent webhooks of a phase with so
// many webhooks.
func rebuildThreshold(webhooks int) int { return 16 + webhooks/128 }

// replace returns the phase with other webhooks at the positions from first to
// last-1.
func (p *phase) replace(first, last int, with []*Webhook) phase {
	c := change{first, last, len(with)}
	next := phase{base: p.base, recent: p.recent.after(c)}
	order := p.order
	if order == nil {
		order = ascending(len(p.base.webhooks))
	}
	next.base.positions = p.base.positionsAfter(c, order)
	for i, w := range with {
		next.recent.webhooks = append(next.recent.webhooks, w)
		next.recent.positions = append(next.recent.positions, int32(first+i))
	}
	next.order = make([]int32, first+len(with), first+len(with)+len(order)-last) // never nil
	copy(next.order, order[:first])
	next.order = append(next.order, order[last:]...)
	for i, position := range next.recent.positions {
		next.order[position] = ^int32(i)
	}
	if len(next.recent.webhooks) > rebuildThreshold(len(next.order)) {
		return newPhase(next.all())
	}
	if len(next.recent.webhooks) > 0 {
		next.recent.index = newIndex(next.recent.webhooks)
	}
	unlisted := next
	next.list = sync.OnceValue(unlisted.all)
	return next
}

// all returns all webhooks in order.
func (p *phase) all() []*Webhook {
	all := make([]*Webhook, p.len())
	for i := range all {
		all[i] = p.at(i)
	}
	return all
}

// change replaces the webhooks at the positions from first to last-1 by added
// others.
type change struct{ first, last, added int }

// move returns the position after the change of a webhook that is not added by
// it.
func (c change) move(position int32) int32 {
	switch p := int(position); {
	case p < c.first:
		return position
	case p < c.last:
		return removed
	default:
		return position + int32(c.first+c.added-c.last)
	}
}

// after returns the overlay without the webhooks that the change removes. No
// webhook of o has been removed before.
func (o *overlay) after(c change) overlay {
	var left overlay
	for i, position := range o.positions {
		if position = c.move(position); position != removed {
			left.webhooks = append(left.webhooks, o.webhooks[i])
			left.positions = append(left.positions, position)
		}
	}
	return left
}

// positionsAfter returns the positions of the base's webhooks after a change to
// order.
func (o *overlay) positionsAfter(c change, order []int32) []int32 {
	positions := slices.Clone(o.positions)
	if positions == nil {
		positions = ascending(len(o.webhooks))
	}
	for _, i := range order[c.first:c.last] {
		if i >= 0 {
			positions[i] = removed
		}
	}
	if c.added == c.last-c.first {
		return positions // no other webhook moves
	}
	for i, position := range positions {
		positions[i] = c.move(position)
	}
	return positions
}

// ascending returns the numbers from 0 to n-1.
func ascending(n int) []int32 {
	numbers := make([]int32, n)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	return numbers
}

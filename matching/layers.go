package matching

import (
	"slices"
	"sync"
)

// phase is the webhooks of one phase, and how to find them.
//
// Making an index takes time that grows with the number of webhooks, and so does
// copying a list of pointers. So a change keeps what there is, notes which of its
// webhooks are gone and where the others are now, and indexes only those that have
// come since. When these are many, everything is indexed anew.
type phase struct {
	// base has what was indexed once, recent what came later, as order has it.
	base, recent layer
	// order says which webhook is in each place: one of base, or, if negative,
	// the complement of one of recent. Nil means that base is all there is.
	order []int32
	// list is all webhooks in order, made when somebody asks.
	list func() []*Webhook
}

// layer is some webhooks with an index of their own.
type layer struct {
	webhooks []*Webhook
	*index
	// places says where each webhook is among all: gone, if nowhere. Nil means
	// that they are all where they are here.
	places []int32
}

const gone = -1

func newPhase(webhooks []*Webhook) phase {
	return phase{
		base: layer{webhooks: webhooks, index: newIndex(webhooks)},
		list: func() []*Webhook { return webhooks },
	}
}

// len returns how many webhooks there are.
func (p *phase) len() int {
	if p.order == nil {
		return len(p.base.webhooks)
	}
	return len(p.order)
}

// at returns the webhook in a place.
func (p *phase) at(place int) *Webhook {
	if p.order == nil {
		return p.base.webhooks[place]
	}
	if which := p.order[place]; which < 0 {
		return p.recent.webhooks[^which]
	} else {
		return p.base.webhooks[which]
	}
}

func (p *phase) equivalents() bool {
	return p.base.equivalents || p.recent.index != nil && p.recent.equivalents
}

// find does what index.find does, for the places in which the webhooks are now.
func (p *phase) find(a *ask, found []int32, equivalents bool) []int32 {
	found = p.base.find(a, found, equivalents)
	if p.recent.index != nil {
		found = p.recent.find(a, found, equivalents)
	}
	return found
}

func (l *layer) find(a *ask, found []int32, equivalents bool) []int32 {
	before := len(found)
	found = l.index.find(a, found, equivalents)
	if l.places == nil {
		return found
	}
	now := found[:before]
	for _, indexed := range found[before:] {
		if place := l.places[indexed]; place != gone {
			now = append(now, place)
		}
	}
	return now
}

// few is how many of so many webhooks may have come since they were all indexed.
func few(webhooks int) int { return 16 + webhooks/128 }

// replace returns the phase after a change: other webhooks come in place of those
// from first to before last.
func (p *phase) replace(first, last int, with []*Webhook) phase {
	c := change{first, last, len(with)}
	next := phase{base: p.base, recent: p.recent.after(c)}
	order := p.order
	if order == nil {
		order = count(len(p.base.webhooks))
	}
	next.base.places = p.base.placesAfter(c, order)
	for i, w := range with {
		next.recent.webhooks = append(next.recent.webhooks, w)
		next.recent.places = append(next.recent.places, int32(first+i))
	}
	next.order = slices.Concat(order[:first], make([]int32, len(with)), order[last:])
	for i, place := range next.recent.places {
		next.order[place] = ^int32(i)
	}
	if len(next.recent.webhooks) > few(len(next.order)) {
		return newPhase(next.all())
	}
	if len(next.recent.webhooks) > 0 {
		next.recent.index = newIndex(next.recent.webhooks)
	}
	made := next
	next.list = sync.OnceValue(made.all)
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

// change says that the places from first to before last are taken by so many others.
type change struct{ first, last, others int }

// move returns where what was in a place is after the change.
func (c change) move(place int32) int32 {
	switch at := int(place); {
	case at < c.first:
		return place
	case at < c.last:
		return gone
	default:
		return place + int32(c.first+c.others-c.last)
	}
}

// after returns what is left of a layer whose webhooks are all there.
func (l *layer) after(c change) layer {
	var left layer
	for i, place := range l.places {
		if place = c.move(place); place != gone {
			left.webhooks, left.places = append(left.webhooks, l.webhooks[i]), append(left.places, place)
		}
	}
	return left
}

// placesAfter returns where a base's webhooks are after a change of the order.
func (l *layer) placesAfter(c change, order []int32) []int32 {
	places := slices.Clone(l.places)
	if places == nil {
		places = count(len(l.webhooks))
	}
	for _, which := range order[c.first:c.last] {
		if which >= 0 {
			places[which] = gone
		}
	}
	if c.others == c.last-c.first {
		return places // nobody else has moved
	}
	for i, place := range places {
		places[i] = c.move(place)
	}
	return places
}

// count returns the numbers from 0 to before n.
func count(n int) []int32 {
	numbers := make([]int32, n)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	return numbers
}

package matching

import "slices"

// phase is the webhooks of one phase, and how to find them.
//
// Making an index takes time that grows with the number of webhooks. So a change
// keeps the index that there is, notes which of its webhooks are gone and where the
// others are now, and indexes only those that have come since. When these are many,
// everything is indexed anew.
type phase struct {
	webhooks []*Webhook
	// base found all webhooks once, recent finds those that came later; it is nil
	// if there are none.
	base, recent *layer
}

// layer is an index of some of the webhooks.
type layer struct {
	*index
	// places says where the webhooks that were indexed are in the list now: gone,
	// if nowhere. Nil means that they are where they were.
	places []int32
}

const gone = -1

func newPhase(webhooks []*Webhook) phase {
	return phase{webhooks: webhooks, base: &layer{index: newIndex(webhooks)}}
}

func (p *phase) equivalents() bool {
	return p.base.equivalents || p.recent != nil && p.recent.equivalents
}

// find does what index.find does, for the list as it is now.
func (p *phase) find(a *ask, found []int32, equivalents bool) []int32 {
	found = p.base.find(a, found, equivalents)
	if p.recent != nil {
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

// stretch is a part of a list that is replaced by one that may be longer or
// shorter.
type stretch struct{ from, before, after int }

// move returns where what was in a place is afterwards.
func (s stretch) move(place int32) int32 {
	switch at := int(place); {
	case at < s.from:
		return place
	case at < s.from+s.before:
		return gone
	default:
		return place + int32(s.after-s.before)
	}
}

// few is how many of so many webhooks may have come since they were all indexed.
func few(webhooks int) int { return 16 + webhooks/64 }

func (p *phase) replace(s stretch, with []*Webhook) phase {
	webhooks := slices.Concat(p.webhooks[:s.from], with, p.webhooks[s.from+s.before:])
	var came []int32
	if p.recent != nil {
		for _, place := range p.recent.places {
			if now := s.move(place); place != gone && now != gone {
				came = append(came, now)
			}
		}
	}
	for i := range with {
		came = append(came, int32(s.from+i))
	}
	if len(came) > few(len(webhooks)) {
		return newPhase(webhooks)
	}
	return phase{webhooks: webhooks, base: p.base.moved(s, len(p.webhooks)), recent: indexed(webhooks, came)}
}

// moved returns a layer of so many webhooks after a change.
func (l *layer) moved(s stretch, webhooks int) *layer {
	places := slices.Clone(l.places)
	if places == nil {
		places = make([]int32, webhooks)
		for i := range places {
			places[i] = int32(i)
		}
	}
	for i, place := range places {
		if place != gone {
			places[i] = s.move(place)
		}
	}
	return &layer{l.index, places}
}

// indexed returns a layer of the webhooks in some places, or nil if these are none.
func indexed(webhooks []*Webhook, places []int32) *layer {
	if len(places) == 0 {
		return nil
	}
	some := make([]*Webhook, len(places))
	for i, place := range places {
		some[i] = webhooks[place]
	}
	return &layer{newIndex(some), places}
}

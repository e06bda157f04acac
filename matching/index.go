package matching

import "math/bits"

// index finds the webhooks whose rules match a request without looking at the
// others.
//
// A rule is a product of lists; it is taken apart into its elements, and each of
// them has a key: the hash of what it asks for in every dimension, with "*" in
// some. Which dimensions those are is the key's shape. A request is looked up once
// for each shape that occurs, which is a handful in practice and 64 at most.
//
// What the index returns may include webhooks that do not match, because hashes
// collide and products that are too large are widened. It never leaves one out.
type index struct {
	shapes []shape
	slots  []slot
	// postings are where webhooks are in the list; each slot has a stretch of them.
	postings []posting
	// equivalents says that there is a webhook that matches equivalent resources.
	equivalents bool
}

// posting is a position, doubled, and one more if the webhook also matches
// equivalent resources.
type posting int32

func newPosting(position int, equivalent bool) posting {
	p := posting(position) << 1
	if equivalent {
		p++
	}
	return p
}

// slot of a hash table with open addressing. The hash has the bit taken, or is
// zero.
type slot struct {
	hash       uint64
	start, end int32
}

const taken = 1 << 63

// newIndex indexes webhooks by their position in the list.
func newIndex(webhooks []*Webhook) *index {
	n := 0
	for _, w := range webhooks {
		n += len(w.keys)
	}
	x := &index{postings: make([]posting, n), slots: make([]slot, 2<<bits.Len(uint(n/2+n/4)))}
	x.reserve(webhooks)
	for i, w := range webhooks {
		p := newPosting(i, w.equivalent)
		x.equivalents = x.equivalents || w.equivalent
		for _, k := range w.keys {
			s := x.slot(k.hash)
			x.postings[s.end] = p
			s.end++
		}
	}
	return x
}

// reserve gives each slot as much room as it will need, and collects the shapes.
func (x *index) reserve(webhooks []*Webhook) {
	var seen uint64 // a bit for each shape
	for _, w := range webhooks {
		for _, k := range w.keys {
			s := x.slot(k.hash)
			s.hash = k.hash | taken
			s.end++
			seen |= 1 << k.shape
		}
	}
	start := int32(0)
	for i := range x.slots {
		s := &x.slots[i]
		start, s.start, s.end = start+s.end, start, start
	}
	for ; seen != 0; seen &= seen - 1 {
		x.shapes = append(x.shapes, shape(bits.TrailingZeros64(seen)))
	}
}

// slot returns the slot of a hash, or the empty one where it would be.
func (x *index) slot(hash uint64) *slot {
	hash |= taken
	mask := uint64(len(x.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		if s := &x.slots[at]; s.hash == hash || s.hash == 0 {
			return s
		}
	}
}

// find appends the positions of the webhooks that may match, or of those among them
// that match equivalent resources, in no order and possibly several times.
func (x *index) find(a *ask, found []int32, equivalents bool) []int32 {
	words := [dimensions]string{
		byOperation:   a.operation,
		byGroup:       a.resource.Group,
		byVersion:     a.resource.Version,
		byResource:    a.resource.Resource,
		bySubresource: a.subresource,
		byScope:       string(a.scope()),
	}
	var exact, wild [dimensions]uint64
	for d, word := range words {
		exact[d], wild[d] = hashed(d, word), wildcard(d)
	}
	for _, shape := range x.shapes {
		var hash uint64
		for d := range dimensions {
			if shape&(1<<d) != 0 {
				hash += wild[d]
			} else {
				hash += exact[d]
			}
		}
		s := x.slot(hash)
		for _, p := range x.postings[s.start:s.end] {
			if !equivalents || p&1 == 1 {
				found = append(found, int32(p>>1))
			}
		}
	}
	return found
}

package matching

import "math/bits"

// index finds the webhooks whose rules may match a request without looking at
// the other webhooks.
//
// A rule is a product of lists: operations, groups, versions, resources,
// subresources and scopes. Each element of the product has a key: the sum of
// the hashes of its names, and a mask of the dimensions in which it has "*".
// find looks a request up once for each mask that occurs. In practice these are
// a handful, and never more than 64.
//
// find may return webhooks whose rules do not match, because hashes collide and
// keys replaces large products by wildcards. It never omits a webhook that
// matches.
type index struct {
	masks   []wildcardMask
	buckets []bucket
	// entries of one bucket are next to each other.
	entries []entry
	// equivalents reports whether a webhook has matchPolicy Equivalent.
	equivalents bool
}

// entry is the position of a webhook, shifted by one bit, which is set if the
// webhook has matchPolicy Equivalent.
type entry int32

func newEntry(position int, equivalent bool) entry {
	p := entry(position) << 1
	if equivalent {
		p++
	}
	return p
}

// bucket is a bucket of a hash table with open addressing. Its hash has the bit
// occupied, or is zero if the bucket is empty.
type bucket struct {
	hash       uint64
	start, end int32
}

const occupied = 1 << 63

// newIndex returns an index over webhooks. Their positions are those in the
// slice.
func newIndex(webhooks []*Webhook) *index {
	n := 0
	for _, w := range webhooks {
		n += len(w.keys)
	}
	x := &index{entries: make([]entry, n), buckets: make([]bucket, 2<<bits.Len(uint(n/2+n/4)))}
	x.reserve(webhooks)
	for i, w := range webhooks {
		p := newEntry(i, w.equivalent)
		x.equivalents = x.equivalents || w.equivalent
		for _, k := range w.keys {
			s := x.bucket(k.hash)
			x.entries[s.end] = p
			s.end++
		}
	}
	return x
}

// reserve allots to each bucket as many entries as it will have, and collects
// the masks.
func (x *index) reserve(webhooks []*Webhook) {
	var seen uint64 // a bit for each mask
	for _, w := range webhooks {
		for _, k := range w.keys {
			s := x.bucket(k.hash)
			s.hash = k.hash | occupied
			s.end++
			seen |= 1 << k.wildcards
		}
	}
	start := int32(0)
	for i := range x.buckets {
		s := &x.buckets[i]
		start, s.start, s.end = start+s.end, start, start
	}
	for ; seen != 0; seen &= seen - 1 {
		x.masks = append(x.masks, wildcardMask(bits.TrailingZeros64(seen)))
	}
}

// bucket returns the bucket of a hash, or the empty bucket where the hash
// belongs.
func (x *index) bucket(hash uint64) *bucket {
	hash |= occupied
	mask := uint64(len(x.buckets) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		if s := &x.buckets[at]; s.hash == hash || s.hash == 0 {
			return s
		}
	}
}

// find appends the positions of the webhooks that may match to found. If
// onlyEquivalent is set, it leaves out webhooks without matchPolicy Equivalent.
// Positions are in no order and may occur several times.
func (x *index) find(q *RuleQuery, found []int32, onlyEquivalent bool) []int32 {
	names := [dimensions]string{
		byOperation:   q.Operation,
		byGroup:       q.Resource.Group,
		byVersion:     q.Resource.Version,
		byResource:    q.Resource.Resource,
		bySubresource: q.Subresource,
		byScope:       string(q.Scope()),
	}
	var exact, wild [dimensions]uint64
	for d, name := range names {
		exact[d], wild[d] = hashOf(d, name), wildcardHash(d)
	}
	for _, mask := range x.masks {
		var hash uint64
		for d := range dimensions {
			if mask&(1<<d) != 0 {
				hash += wild[d]
			} else {
				hash += exact[d]
			}
		}
		s := x.bucket(hash)
		for _, e := range x.entries[s.start:s.end] {
			if !onlyEquivalent || e&1 == 1 {
				found = append(found, int32(e>>1))
			}
		}
	}
	return found
}

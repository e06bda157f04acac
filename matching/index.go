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
//
// With 1,000 webhooks of which none matches, a request takes 1 µs with it and
// 95 µs without.
type index struct {
	masks []wildcardMask
	// entries has the webhooks by the hashes of their keys.
	entries map[uint64][]entry
	// equivalents reports whether a webhook has matchPolicy Equivalent.
	equivalents bool
}

// entry is a webhook: its position, and whether it has matchPolicy Equivalent.
type entry struct {
	position   int32
	equivalent bool
}

// newIndex returns an index over webhooks. Their positions are those in the
// slice.
func newIndex(webhooks []*Webhook) *index {
	x := &index{entries: map[uint64][]entry{}}
	var seen uint64 // a bit for each mask
	for i, w := range webhooks {
		x.equivalents = x.equivalents || w.equivalent
		for _, k := range w.keys {
			x.entries[k.hash] = append(x.entries[k.hash], entry{int32(i), w.equivalent})
			seen |= 1 << k.wildcards
		}
	}
	for ; seen != 0; seen &= seen - 1 {
		x.masks = append(x.masks, wildcardMask(bits.TrailingZeros64(seen)))
	}
	return x
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
		for _, e := range x.entries[hash] {
			if !onlyEquivalent || e.equivalent {
				found = append(found, e.position)
			}
		}
	}
	return found
}

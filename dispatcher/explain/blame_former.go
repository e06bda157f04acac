package explain

import "slices"

// formerItems finds those items that were in a list once and come back. They are
// recognized by what tells the items of lists apart, or else by being equal.
type formerItems map[identity]*place

// identity is a key that tells items apart and the id of its value; or no key, and the
// id of the item itself.
type identity struct {
	key string
	id  int32
}

func identityOf(v *datum) identity {
	for _, key := range mergeKeys() {
		if value := v.at(key); value != nil && value.scalar() {
			return identity{key, value.id}
		}
	}
	return identity{id: v.id}
}

// newFormerItems knows the items that are not in the list before a step. Of several that
// cannot be told apart it knows the one that went last.
func newFormerItems(p *place) formerItems {
	f := make(formerItems, len(p.former))
	for _, q := range p.former {
		f[identityOf(q.value)] = q
	}
	return f
}

// take returns the place of an item that comes back, or a new one.
func (f formerItems) take(v *datum) *place {
	if len(f) == 0 {
		return &place{gone: true}
	}
	who := identityOf(v)
	q, ok := f[who]
	if !ok {
		return &place{gone: true}
	}
	delete(f, who)
	return q
}

// settle drops those of the former items that are back.
func (p *place) settle() {
	p.former = slices.DeleteFunc(p.former, func(q *place) bool { return !q.gone })
}

package explain

import (
	"maps"
	"slices"
)

// place is a place in the object: a leaf or a part, with its history. Places of parts
// that nobody has touched since they were written are not made before they are needed.
type place struct {
	// value is what is there, or was before it was gone.
	value *datum
	gone  bool
	// events are all that happened to it: to a leaf, that a value was written or
	// removed; to a part, that it was as a whole.
	events []event
	// whole says that there are no places below yet, because all of it is by the author
	// of the last event.
	whole bool
	// fields are what is and was in a map, items what is in a list, and former what
	// was in it, each with the index that it had.
	fields map[string]*place
	items  []*place
	former []*place
	index  int
}

// event is that a value was written, or removed if it is nil.
type event struct {
	by    *Writer
	value *datum
}

func (p *place) author() *Writer { return p.events[len(p.events)-1].by }

// split makes the places in a part that was whole.
func (p *place) split() {
	if !p.whole {
		return
	}
	p.whole = false
	for i := range p.value.items {
		v := &p.value.items[i]
		q := &place{value: v, events: []event{{p.author(), v}}, whole: v.open()}
		if p.value.kind == datumMap {
			p.field(p.value.keys[i].text, q)
		} else {
			p.items = append(p.items, q)
		}
	}
}

// field returns the place under a key, and makes it the given one if there is none.
func (p *place) field(key string, otherwise *place) *place {
	if q, ok := p.fields[key]; ok {
		return q
	}
	if p.fields == nil {
		p.fields = map[string]*place{}
	}
	p.fields[key] = otherwise
	return otherwise
}

// below is a place below another, and what the final object has there; nil if nothing.
type below struct {
	step  pathStep
	place *place
	value *datum
}

// below returns the places below one at which the final object has v, in document order.
// What is no more in a list comes after what is.
func (p *place) below(v *datum, root bool) []below {
	var all []below
	for _, key := range slices.Sorted(maps.Keys(p.fields)) {
		q := below{step: pathStep{kind: stepKey, key: key}, place: p.fields[key]}
		if v != nil {
			q.value = v.at(key)
		}
		all = append(all, q)
	}
	if root {
		slices.SortStableFunc(all, func(a, b below) int { return documentOrder(a.step.key, b.step.key) })
	}
	for j, q := range p.items {
		all = append(all, below{pathStep{kind: stepIndex, index: j}, q, &v.items[j]})
	}
	former := slices.Clone(p.former)
	slices.SortStableFunc(former, func(a, b *place) int { return a.index - b.index })
	for _, q := range former {
		all = append(all, below{pathStep{kind: stepIndex, index: q.index}, q, nil})
	}
	return all
}
